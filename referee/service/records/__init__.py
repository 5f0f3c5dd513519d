"""What is kept or taken along: records, photos, the audit, and how long."""
