"""What the cave is drawn with: colours, lines, and everything drawn by hand, each thing about its own zero."""

from __future__ import annotations

from dracotheque.presentation.svg import band, path

# --- Colours: one class each, by these names ----------------------------------------------------------------------
DAY = {
    "paper": "#f7eedb", "card": "#fffaf0", "ink": "#2a2018", "frame": "#6b5a48", "label": "#2a2018",
    "green": "#1f7a5c", "gold": "#c8952c", "ember": "#b5432a", "amethyst": "#7a4a94", "sky-high": "#cfe0dc",
    "sky-mid": "#ece9cf", "sky-low": "#f6e3b8", "cloud": "#fffaf0", "sun": "#eebf4e", "glow": "#f7dc93",
    "far": "#c5cfc0", "hill": "#d5d7a2", "meadow": "#c9d190", "grass": "#35604a", "pine": "#4f7f5a",
    "pine-deep": "#35604a", "rock": "#d8cab0", "rock-light": "#eee3cb", "rock-deep": "#b7a39b", "snow": "#fffaf0",
    "wall": "#6d5443", "wall-light": "#93755a", "wall-deep": "#46352c", "lamp": "#f5c877", "road": "#f3e2b6",
    "road-deep": "#d9bf88", "wood": "#b98649", "wood-deep": "#8a5c2e", "rope": "#d8b47a", "steel": "#d9d6cc",
    "steel-deep": "#a9a59a", "coin": "#e2b03f", "coin-light": "#f6d981", "coin-deep": "#a9781f", "shard": "#a77cc0",
    "shard-light": "#e3d0ee", "shard-deep": "#7a4a94", "bat": "#6f6478", "shade": "#2a2018",
}  # fmt: skip
NIGHT = DAY | {
    "paper": "#14182a", "card": "#f3e7c8", "ink": "#0b0e1b", "frame": "#7d6a3c", "label": "#1d1a20",
    "green": "#2b9270", "gold": "#dca93c", "ember": "#c8533a", "amethyst": "#9465b0", "sky-high": "#131729",
    "sky-mid": "#1c2240", "sky-low": "#2a3052", "cloud": "#343c60", "sun": "#f2e3b0", "glow": "#5a5470",
    "far": "#28304f", "hill": "#2b3d4e", "meadow": "#2c4a48", "grass": "#7fb089", "pine": "#2a5a50",
    "pine-deep": "#1c4140", "rock": "#4a4f70", "rock-light": "#626788", "rock-deep": "#363b5a", "snow": "#b9c0dc",
    "wall": "#2b2130", "wall-light": "#4a3436", "wall-deep": "#171320", "lamp": "#f4b54c", "road": "#8d8068",
    "road-deep": "#625a55", "wood": "#bd8a4a", "wood-deep": "#6d4722", "steel": "#b9bed2", "steel-deep": "#7f85a0",
    "coin": "#e8b849", "coin-light": "#f8e3a0", "shade": "#05070f",
}  # fmt: skip
SHADED = (
    "sky-high", "sky-mid", "sky-low", "glow", "lamp", "ink", "road", "road-deep", "wall", "wall-light", "wall-deep",
    "rope", "wood-deep",
)  # fmt: skip
"""The colours of gradients and of bands."""
LINES = {
    ".k,.k2,.k3,.k4,.hatch": "stroke:%(ink)s;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round",
    ".k2": "stroke-width:.9",
    ".k3": "stroke-width:1.3",
    ".k4": "stroke-width:2.4",
    ".hatch": "stroke-width:.9;opacity:.5",
    ".web": "stroke:%(rock-light)s;stroke-width:.9;opacity:.6",
    ".blade": "stroke:%(grass)s;stroke-width:1.2;stroke-linecap:round",
    ".edge": "stroke:%(frame)s",
    ".band": "stroke:currentColor;stroke-linejoin:round",
    ".no,.hatch,.web,.blade,.edge,.band": "fill:none",
    ".shadow": "fill:%(shade)s;opacity:.22",
    ".shine": "fill:#fff;opacity:.3",
    ".half": "opacity:.5",
    ".crest": "fill:currentColor",
    ".number,.count": 'font-family:Alegreya,Georgia,"Times New Roman",serif;font-weight:700;text-anchor:middle;'
    "font-variant-numeric:lining-nums;fill:%(label)s",
    ".number": "font-size:17px",
    ".count": "font-size:24px",
    ".hit": "fill:none;pointer-events:all",
    ".seat-lion": "color:%(gold)s",
    ".seat-tower": "color:%(ember)s",
    ".seat-star": "color:%(amethyst)s",
    ".seat-oak": "color:%(green)s",
}

# --- What is drawn by hand, each thing about its own zero ---------------------------------------------------------
COIL = (
    "M13 13q5 6 9 4M17 0a17 17 0 1 1-34 0a17 17 0 1 1 34 0zM11 0a11 11 0 1 1-22 0a11 11 0 1 1 22 0z"
    "M4.5 0a4.5 4.5 0 1 1-9 0a4.5 4.5 0 1 1 9 0z"
)
PICTURES = {
    "pickaxe": """<path class="a-wood a-k3" d="M-17 14l4 5L10-6l-5-5z"/><path class="a-k2 a-no" d="M-11 12l16-17"/>
<path class="a-steel a-k3" d="M-13-19q18-3 26 5t6 26q-4-12-11-18q-8-7-21-13z"/>
<path class="a-steel-deep" d="M1-13q8 4 10 8q5 5 7 14q-3-8-9-14q-5-5-12-9z"/>
<path class="a-wood-deep a-k3" d="M2-10l6-5l7 7l-5 6z"/>""",
    "lantern": """<path class="a-k3 a-no" d="M-6-17q0-8 6-8t6 8"/>
<path class="a-ember a-k3" d="M-10-11q2-8 10-8t10 8z"/>
<path class="a-lamp a-k3" d="M-9-11h18l3 22h-24z"/><path class="a-coin" d="M0-7q8 9 3 16h-6q-5-7 3-16z"/>
<path class="a-card" d="M0 0q4 5 1 9h-3q-2-4 2-9z"/><path class="a-k2 a-no" d="M-4-11l-1 22M4-11l1 22"/>
<path class="a-ember a-k3" d="M-14 11h28v6q-14 5-28 0z"/>""",
    "rope": band("ink", COIL, 7.6) + band("rope", COIL, 5) + band("wood-deep", COIL, 5, "stroke-dasharray:1 4"),
    "barrel": """<path class="a-wood a-k3" d="M-13-18q13-4 26 0q9 18 0 36q-13 4-26 0q-9-18 0-36z"/>
<path class="a-wood-deep a-half" d="M6-19l7 1q9 18 0 36l-7 1q6-19 0-38z"/>
<path class="a-k2 a-no" d="M-6-19q-5 19 0 38M6-19q5 19 0 38"/>
<path class="a-steel a-k3" d="M-15-12q15 4 30 0l2 5q-17 4-34 0z"/>
<path class="a-steel a-k3" d="M-17 6q17 4 34 0l-2 6q-15 4-30 0z"/>
<path class="a-wood-deep a-k3" d="M-13-18q0-4 13-4t13 4t-13 3t-13-3z"/>""",
    "crystal": """<path class="a-shard-deep a-k3" d="M8 17l-3-20l7-8l7 7l-3 20zM-9 17l-9-16l2-8l8 2l5 20z"/>
<path class="a-shard a-k3" d="M-7 18l-4-29l8-12l9 11l-2 30z"/><path class="a-shard-light" d="M-6 16l-4-27l6-9l1 38z"/>
<path class="a-k2 a-no" d="M-3-23l1 42M-11-11l8 3l9-4M12-11l-2 27M-16-7l6 4"/>
<path class="a-rock-deep a-k3" d="M-19 18q5-5 10-2q6-3 10 0q6-4 10 0q6-3 9 3q-19 5-39-1z"/>""",
    "mushroom": """<path class="a-card a-k3" d="M-7 18q2-12-1-20h11q-2 10 2 20q-6 2-12 0z"/>
<path class="a-ember a-k3" d="M-22-1q0-19 20-19t20 19q-20 6-40 0z"/>
<path class="a-card a-k2" d="M-11-12q5-4 7 0t-4 4t-3-4zM3-10q5-2 6 2t-4 3t-2-5zM-4-18q4-1 5 1t-5-1zM-18-4q3-2 4 1z"/>
<path class="a-card a-k3" d="M11 18q2-5 0-9h6q-1 5 1 9z"/><path class="a-ember a-k3" d="M7 10q1-9 8-9t7 9q-7 3-15 0z"/>
<path class="a-k2 a-no" d="M-6 5l2 0M-2 3l4 0"/>""",
    "bat": """<path class="a-bat a-k3" d="M0-4q8-14 24-11q-4 5-2 12q-6-2-8 4q-5-2-6 4q-4 3-8 3q-4 0-8-3q-1-6-6-4
q-2-6-8-4
q2-7-2-12q16-3 24 11z"/><path class="a-k2 a-no" d="M-20-13q7 5 6 13M20-13q-7 5-6 13M-8-4q-5-6-12-9M8-4q5-6 12-9"/>
<path class="a-bat a-k3" d="M-7 0q-1-8-2-14l6 4q3-1 6 0l6-4q-1 6-2 14q1 12-7 15q-8-3-7-15z"/>
<path class="a-lamp a-k2" d="M-5-4q3-2 4 2q-3 2-4-2zM5-4q-3-2-4 2q3 2 4-2z"/>
<path class="a-card" d="M-3 3h2l-1 4zM3 3h-2l1 4z"/><path class="a-k2 a-no" d="M-3 3q3 2 6 0M-3 10l1 1M2 10l1 1"/>""",
    "cart": """<path class="a-coin a-k3" d="M-15-7q2-7 7-5q3-7 9-3q6-4 8 2q6-2 7 6z"/>
<path class="a-steel a-k3" d="M-21-8h42l-6 19h-30z"/><path class="a-steel-deep" d="M8-8h12l-5 18h-10z"/>
<path class="a-k2 a-no" d="M-6-9q3-3 6 0M4-8q3-3 6 0M-19-3h38M-8-8l2 19M8-8l-2 19"/>
<circle class="a-wood a-k3" cx="-10" cy="14" r="6"/><circle class="a-wood a-k3" cx="10" cy="14" r="6"/>
<path class="a-k2 a-no" d="M-10 9v10M-15 14h10M10 9v10M5 14h10"/>""",
}
CRESTS = {
    "lion": """<path class="a-crest" d="M8.6 0c0 .7-2.2 1.1-2.5 2-.3 .8 1.2 2.5 .9 3.1-.4 .5-2.5-.4-3.2 .1-.8 .5-.5 2.8
-1.1 3-.7 .2-1.8-1.8-2.7-1.8-.9 0-2 2-2.7 1.8-.6-.2-.3-2.5-1.1-3-.7-.5-2.8 .4-3.2-.1-.3-.6 1.2-2.3 .9-3.1
-.3-.9-2.5-1.3-2.5-2 0-.7 2.2-1.1 2.5-2 .3-.8-1.2-2.5-.9-3.1 .4-.5 2.5 .4 3.2-.1 .8-.5 .5-2.8 1.1-3
.7-.2 1.8 1.8 2.7 1.8 .9 0 2-2 2.7-1.8 .6 .2 .3 2.5 1.1 3 .7 .5 2.8-.4 3.2 .1 .3 .6-1.2 2.3-.9 3.1
.3 .9 2.5 1.3 2.5 2z"/><path class="a-card" d="M-4-3q4-2.4 8 0q1 4-1.2 6.4q-2.8 3-5.6 0q-2.2-2.4-1.2-6.4z"/>
<path class="a-k2 a-no" d="M-2-1.4v1.3M2-1.4v1.3M0 1.4v1.8M-1.4 3.5q1.4 1 2.8 0"/>""",
    "tower": """<path class="a-crest" d="M-6.5-8.5h3v2.5h2.2v-2.5h3v2.5h2.2v-2.5h3v5.8l-1.7 1.4v9h-10v-9l-1.7-1.4z"/>
<path class="a-card" d="M-2 7.7v-4.5q2.3-2.7 4.3 0v4.5z"/>""",
    "star": '<path class="a-crest" d="M0-9l2.2 5.7 6.2 .3-4.9 4 1.7 6-5.2-3.4-5.2 3.4 1.7-6-4.9-4 6.2-.3z"/>',
    "oak": """<path class="a-crest" d="M-1.2 9l.2-5q-5 1.8-6.8-1.6q-1.4-3 1.2-4.6q-1.6-3.4 1.8-4.8q1.6-2.8 5-1.6
q3.2-1.4 5 1.6q3.4 1.4 1.8 4.8q2.6 1.8 1 4.8q-1.8 3-6.6 1.6l.2 4.8z"/>""",
}
COIN = """<ellipse class="a-coin-deep a-k3" cx="0" cy="1.6" rx="8" ry="6.4"/>
<ellipse class="a-coin a-k3" rx="8" ry="6.4"/>
<ellipse class="a-coin-light" rx="5" ry="3.8"/><path class="a-coin" d="M-1.5-2.5h3v5h-3z"/>"""
COIN_LABEL = '<path class="a-card a-k3" d="M-4 2h36q8 2 8 10t-8 10h-36z"/>'
PLAQUE = """<path class="a-wood a-k" d="M-42-14q42-4 84 0l2 30q-44 4-88 0z"/>
<path class="a-k2 a-no" d="M-36-8h14M24 11h14"/>"""

# A space: its slab, on a base of stone, and its banner.
SLAB = "M-65 4q2-9 20-13q22-5 46-5q28 0 48 6q16 5 16 13q-2 9-18 13q-20 5-46 5q-28 0-47-5q-17-5-19-14z"
SLAB_WASH = "M-52 5q3-6 16-9q18-4 38-4q22 0 38 5q12 4 12 9q-3 5-16 8q-16 3-36 3q-22 0-36-3q-14-4-16-9z"
BASE = """<ellipse class="a-shadow" cx="4" cy="16" rx="69" ry="15"/>
<path class="a-rock-deep a-k" d="M-65 4v8q2 9 19 14q20 4 47 4q27 0 46-5q17-5 18-12v-8z"/>
<path class="a-hatch" d="M-40 20v6M-20 23v6M6 24v6M30 22v6M48 19v5"/>"""
CLOTH = "M-38-97q38 4 76 0q-3 30 0 62l-13-7l-12 9l-13-8l-13 8l-12-9l-13 7q3-32 0-62z"
CLOTH_FOLDS = """<path class="a-shadow" d="M22-96l16-1q-3 30 0 62l-13-7q-5-26-3-54z"/>
<path class="a-hatch" d="M-31-93q2 26 0 48M32-93q-3 26 0 48"/>
<path class="a-wood a-k3" d="M-44-102q44-3 88 0v6q-44 3-88 0z"/>"""

# A niche: its arch of stone, the alcove and the curtain in it.
ARCH = """<path class="a-rock-light a-k" d="M-58 3q-10-68 8-101q18-28 50-28q32 0 50 28q18 34 8 101z"/>
<path class="a-rock-deep a-half" d="M12-125q24 4 38 27q18 34 8 101h-12q8-60-8-88q-8-14-22-20z"/>
<path class="a-hatch" d="M-47-30l-13 1M-48-62l-12-3M-38-88l-12-10M-20-104l-6-15M20-104l6-15M38-88l12-10M48-62l12-3
M47-30l13 1"/>"""
ALCOVE = "M-46 0q-8-62 8-88q14-22 38-24q24 2 38 24q16 26 8 88z"
FOLDS = '<path class="a-k2 a-no a-half" d="M-32-10q-5-46 8-66M-18-10q-3-36 5-70M18-10q3-36-5-70M32-10q5-46-8-66"/>'
DRIPSTONE = """<path class="a-wall a-k3" d="M-24-6q7 26 10 40q7-18 9-38M-6-6q7 40 11 60q8-26 10-58
M14-4q5 18 8 26q6-12 7-24"/>
<path class="a-shadow" d="M-14-4q2 20 0 38q7-18 9-38zM5-4q3 30 0 58q8-26 10-58z"/>"""

# The tunnel: what stands in it, and what lies in the rock.
PORTAL = """<path class="a-wood a-k" d="M-6-92l13 0l2 86h-17z"/><path class="a-wood-deep a-half" d="M2-92h5l2 86h-6z"/>
<path class="a-wood a-k" d="M-34-106q40-4 84 0l2 15q-44 4-88 0z"/>
<path class="a-wood-deep a-k3" d="M7-66l26-26l9 2l-34 35z"/>
<path class="a-k2 a-no" d="M-24-99h22M6-97h30M-2-70v22M3-40v18"/>"""
FURNITURE = (
    """<circle cy="-66" r="86" fill="url(#a-lamplight)"/><path class="a-wood a-k3" d="M-6-92h12l1 84h-14z"/>
<path class="a-wood-deep a-half" d="M1-92h5l1 84h-5z"/>
<path class="a-wood a-k3" d="M-6-60l-22-30l8-2l16 22zM6-60l22-30l-8-2l-16 22zM-34-104q34-3 68 0l1 11q-34 3-70 0z"/>
<path class="a-k2 a-no" d="M-26-99h18M4-98h22M-2-30v18M2-84v8"/><path class="a-steel a-k3" d="M-8-46h16l-3 12h-10z"/>
<path class="a-ember a-k3" d="M-8-46q-6-12 2-18q0-8 7-14q0 9 5 13q7 8 2 19z"/>
<path class="a-lamp" d="M-4-46q-4-8 2-12q1-5 4-8q0 7 2 9q4 6 0 11z"/>""",
    """<path class="a-wall-light a-k3" d="M-32-103q5 24 9 34q5-14 7-33M-15-103q6 36 10 52q7-20 9-51
M6-103q5 20 8 28q5-12 7-27"/>
<path class="a-shadow" d="M-23-100q1 18 0 31q5-14 7-33zM-5-101q2 28 0 50q7-20 9-51zM14-101v26q5-12 7-27z"/>
<path class="a-wall-light a-k3" d="M-24-6q5-16 8-24q6 8 9 24zM-2-6q7-24 10-36q8 14 12 36z"/>
<path class="a-shadow" d="M-15-8q2-12-1-22q6 8 9 24zM9-7q3-18-1-35q8 14 12 36z"/>""",
    """<path class="a-k4 a-no" d="M-26-104q4 14-4 22q-6 8 0 16M-10-104q8 16 0 28q-8 12 2 24q4 6 0 12
M12-104q-6 12 2 20q8 8 2 18M-8-74q6 2 8 8M-31-82q-5 1-7 6M14-84q7 0 10 6"/>
<path class="a-rock a-k3" d="M-28-6q-2-12 10-14q14 0 14 14zM-2-6q0-18 14-20q16 2 16 20z"/>
<path class="a-rock-deep" d="M-16-8q4-4 2-10q9 2 9 11zM14-8q4-8 1-16q11 4 12 17z"/>
<path class="a-k2 a-no" d="M-20-14q3 2 5 0M8-16q3 2 5 0"/>""",
    """<path class="a-web" d="M-40-102l34 36M-40-102l48 14M-40-102l16 46M-26-97q0 8-8 9M-12-93q0 20-22 24
M2-90q0 28-31 34"/>
<path class="a-card a-k3" d="M-8-8q-2-4-1-7q-6-4-5-11q2-9 13-9t13 9q1 7-5 11q1 3-1 7q-7 3-14 0z"/>
<path class="a-ink" d="M-8-22q4-2 6 2q-1 5-5 4q-3-2-1-6zM6-22q-4-2-6 2q1 5 5 4q3-2 1-6zM-2-13l1-3l1 3z"/>
<path class="a-k2 a-no" d="M-4-6v-4M-1-6v-4M2-6v-4"/>
<path class="a-card a-k3" d="M14-6q-4-1-2-4l14-7q0-4 4-2q4 0 2 4q1 4-3 2l-12 7q0 2-3 0z"/>""",
    """<path class="a-wood a-k3" d="M-28-6l1-30h34l1 30z"/><path class="a-wood-deep a-half" d="M-4-36h11l1 30h-10z"/>
<path class="a-wood a-k3" d="M-28-36h36l1 6h-38zM-28-12h36v6h-36zM-26-12l26-18h7l-26 18z"/>
<path class="a-rope a-k3" d="M14-6q-6-10 2-17q-3-6 3-8q6 1 5 8q9 8 3 17q-7 3-13 0z"/>
<path class="a-k2 a-no" d="M15-23q5 2 9 0M18-14q1 4 0 7"/>""",
)
FINDS = (
    """<path class="a-rock-light a-k3" d="M12 4q1-15-12-15q-13 1-13 12q1 10 12 10q9-1 9-9q-1-7-8-7q-6 1-6 6
q0 5 5 5q4-1 3-4"/>
<path class="a-hatch" d="M12 2l-5-1M8-7l-4 4M0-11v5M-9-7l4 4M-13 2h5M-9 9l4-4M0 11v-5"/>""",
    '<path class="a-card a-k3" d="M-14 4q-7 1-5-4q-3-5 4-5q4 0 4 4h22q0-5 4-4q6 0 4 5q2 4-4 5q-4 0-4-4h-21q0 3-4 3z"/>',
    """<path class="a-green a-k3" d="M-12 7l-3-9l7-8l8 6l-1 10z"/>
<path class="a-ember a-k3" d="M4 8l-2-9l7-6l7 6l-3 10z"/>
<path class="a-shine" d="M-12-2l5-5l3 2l-5 10zM5-1l4-4l2 2l-3 8z"/>""",
)
CRACK = "q5-12 12-7q5 2 8 9m-4-10q2 4 0 8"

# The world outside.
SNOW = """<path class="a-snow a-k3" d="M-136-40L-110 40q16-6 26-2q4 10 8 12q6-8 14-8q8 6 10 16q8-14 16-12q8 6 10 22
q8-12 14-12q8 4 12 18q6-16 14-18q8 2 14 16q4-14 12-16q8 0 14 12q4-8 12-8q10 2 16 12q8-8 16-8q8 2 16 10q6-6 26-4
q14-4 28-4l14-24V-40z"/>"""
SIGNPOST = """<path class="a-wood-deep a-k3" d="M-3-44h6l1 46h-8z"/>
<path class="a-wood a-k3" d="M-16-46q16-3 30 0l9 8l-9 9q-14 3-30 0z"/>
<path class="a-k2 a-no" d="M-10-40h14M-8-35h18"/>"""
TUFT = "q-1-4-3-6m6 6q0-5-1-8m4 8q1-5 3-8m0 8q2-3 5-4"

# --- What is drawn in many places, and written once ---------------------------------------------------------------
SHARED = {
    "arch": ARCH,
    "folds": FOLDS,
    "base": BASE + path("hit", "M-66-100h132v130h-132z"),  # one may also point between a banner and its stone
    "cloth": CLOTH_FOLDS,
    "slab": path("shine", SLAB_WASH) + path("k2 no half", "M-30-6q6 3 4 7M40-5q-3 3 2 6M28 14q4-2 10 0"),
    "dripstone": DRIPSTONE,
    "coin": COIN,
    **{f"find-{number}": find for number, find in enumerate(FINDS)},
    **{f"gap-{number}": piece for number, piece in enumerate(FURNITURE)},
    **{f"crest-{crest}": shape for crest, shape in CRESTS.items()},
}
"""Things by their names."""
OUTLINES = {"alcove": ALCOVE, "banner": CLOTH, "stone": SLAB}
"""Outlines that are filled in many colours, by their names."""
