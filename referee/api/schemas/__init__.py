"""What goes in and out of the API, as marshmallow schemas; openapi.yaml is made from them."""
