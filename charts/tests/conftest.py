import sys
from pathlib import Path

# What is under test beside the chart: readme.py.
sys.path.insert(0, str(Path(__file__).parent.parent))
