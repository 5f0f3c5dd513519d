"""Enrolment: faces that no drawing can know are shown once, and told apart from then on."""
