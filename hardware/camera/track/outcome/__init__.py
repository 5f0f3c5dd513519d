"""What has happened between two still views."""
