"""What boards, cameras and phones take."""
