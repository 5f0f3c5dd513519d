"""Enrolment: teaches the camera faces that it was not trained on, from one picture each."""
