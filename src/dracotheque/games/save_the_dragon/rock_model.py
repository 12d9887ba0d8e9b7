"""The compiled model of the rock, fitted to physical falls. Written by `python -m dracotheque.lab.rock fit`.

TRAVEL[course][lane][ahead] has the weights of the rock's next lane (0, 1, 2, gone), FELL[relation] those of what
happens to a pawn (stands, lies on its own step, 1 … 8 steps down, on the floor), SHIFT[steps down, 2 at most][lane]
those of the lane where it lies. docs/save-the-dragon-rock.md explains them.
"""

# fmt: off
# ruff: noqa: E501
DROPS = 40_000
FALLS = "8322fd07f3d3d4b3"  # rock.version() of the falls
MODEL_HASH = "4e4fad3656d364db"

TRAVEL = (
    (
        ((9936, 53, 1, 10), (9927, 50, 1, 22), (1, 6973, 10, 3016)),  # lane 0
        ((55, 9889, 55, 1), (56, 9887, 56, 1), (3763, 1, 3763, 2473)),  # lane 1
        ((1, 53, 9936, 10), (1, 50, 9927, 22), (10, 6973, 1, 3016)),  # lane 2
    ),  # straight from the door, just now
    (
        ((9615, 382, 1, 2), (9569, 410, 8, 13), (179, 7270, 870, 1681)),  # lane 0
        ((374, 9246, 374, 6), (363, 9273, 363, 1), (4539, 102, 4539, 820)),  # lane 1
        ((1, 382, 9615, 2), (8, 410, 9569, 13), (870, 7270, 179, 1681)),  # lane 2
    ),  # straight from the door, 1 step ago
    (
        ((9325, 673, 1, 1), (9293, 705, 1, 1), (467, 7723, 421, 1389)),  # lane 0
        ((637, 8720, 637, 6), (711, 8577, 711, 1), (4786, 123, 4786, 305)),  # lane 1
        ((1, 673, 9325, 1), (1, 705, 9293, 1), (421, 7723, 467, 1389)),  # lane 2
    ),  # straight from the door, 2 steps ago
    (
        ((9169, 829, 1, 1), (9111, 884, 1, 4), (3927, 5103, 584, 386)),  # lane 0
        ((640, 8718, 640, 2), (711, 8573, 711, 5), (3224, 3456, 3224, 96)),  # lane 1
        ((1, 829, 9169, 1), (1, 884, 9111, 4), (584, 5103, 3927, 386)),  # lane 2
    ),  # straight from the door, 3 or more
    (
        ((9348, 644, 1, 7), (8834, 1087, 8, 71), (2699, 5756, 499, 1046)),  # lane 0
        ((91, 9632, 276, 1), (242, 9427, 330, 1), (5876, 3096, 927, 101)),  # lane 1
        ((1, 84, 9914, 1), (1, 338, 9660, 1), (210, 5260, 3643, 887)),  # lane 2
    ),  # came from a lower lane, just now
    (
        ((9348, 644, 1, 7), (8834, 1087, 8, 71), (2699, 5756, 499, 1046)),  # lane 0
        ((79, 7742, 2175, 4), (146, 7747, 2090, 17), (3176, 3745, 2959, 120)),  # lane 1
        ((1, 176, 9822, 1), (1, 188, 9810, 1), (133, 4805, 4354, 708)),  # lane 2
    ),  # came from a lower lane, 1 step ago
    (
        ((9348, 644, 1, 7), (8834, 1087, 8, 71), (2699, 5756, 499, 1046)),  # lane 0
        ((189, 8097, 1711, 3), (227, 7632, 2140, 1), (1723, 4323, 3918, 36)),  # lane 1
        ((1, 515, 9483, 1), (1, 618, 9380, 1), (482, 4300, 4317, 901)),  # lane 2
    ),  # came from a lower lane, 2 steps ago
    (
        ((9348, 644, 1, 7), (8834, 1087, 8, 71), (2699, 5756, 499, 1046)),  # lane 0
        ((421, 8023, 1553, 3), (373, 8144, 1482, 1), (1343, 3931, 4696, 30)),  # lane 1
        ((1, 848, 9150, 1), (1, 955, 9043, 1), (543, 4369, 4884, 204)),  # lane 2
    ),  # came from a lower lane, 3 or more
    (
        ((9914, 84, 1, 1), (9660, 338, 1, 1), (3643, 5260, 210, 887)),  # lane 0
        ((276, 9632, 91, 1), (330, 9427, 242, 1), (927, 3096, 5876, 101)),  # lane 1
        ((1, 644, 9348, 7), (8, 1087, 8834, 71), (499, 5756, 2699, 1046)),  # lane 2
    ),  # came from a higher lane, just now
    (
        ((9822, 176, 1, 1), (9810, 188, 1, 1), (4354, 4805, 133, 708)),  # lane 0
        ((2175, 7742, 79, 4), (2090, 7747, 146, 17), (2959, 3745, 3176, 120)),  # lane 1
        ((1, 644, 9348, 7), (8, 1087, 8834, 71), (499, 5756, 2699, 1046)),  # lane 2
    ),  # came from a higher lane, 1 step ago
    (
        ((9483, 515, 1, 1), (9380, 618, 1, 1), (4317, 4300, 482, 901)),  # lane 0
        ((1711, 8097, 189, 3), (2140, 7632, 227, 1), (3918, 4323, 1723, 36)),  # lane 1
        ((1, 644, 9348, 7), (8, 1087, 8834, 71), (499, 5756, 2699, 1046)),  # lane 2
    ),  # came from a higher lane, 2 steps ago
    (
        ((9150, 848, 1, 1), (9043, 955, 1, 1), (4884, 4369, 543, 204)),  # lane 0
        ((1553, 8023, 421, 3), (1482, 8144, 373, 1), (4696, 3931, 1343, 30)),  # lane 1
        ((1, 644, 9348, 7), (8, 1087, 8834, 71), (499, 5756, 2699, 1046)),  # lane 2
    ),  # came from a higher lane, 3 or more
    (
        ((9936, 54, 1, 9), (9917, 59, 1, 23), (54, 6949, 20, 2977)),  # lane 0
        ((55, 9889, 55, 1), (64, 9871, 64, 1), (3759, 42, 3759, 2440)),  # lane 1
        ((1, 54, 9936, 9), (1, 59, 9917, 23), (20, 6949, 54, 2977)),  # lane 2
    ),  # straight from the door, just now, past a pawn
    (
        ((7009, 2568, 55, 368), (5197, 3358, 87, 1358), (1166, 5068, 737, 3029)),  # lane 0
        ((2610, 4714, 2610, 66), (3360, 2985, 3360, 295), (4210, 573, 4210, 1007)),  # lane 1
        ((55, 2568, 7009, 368), (87, 3358, 5197, 1358), (737, 5068, 1166, 3029)),  # lane 2
    ),  # straight from the door, 1 step ago, past a pawn
    (
        ((7817, 2105, 17, 61), (7723, 2079, 20, 178), (2642, 4400, 1030, 1928)),  # lane 0
        ((1958, 6083, 1958, 1), (2187, 5625, 2187, 1), (3847, 2217, 3847, 89)),  # lane 1
        ((17, 2105, 7817, 61), (20, 2079, 7723, 178), (1030, 4400, 2642, 1928)),  # lane 2
    ),  # straight from the door, 2 steps ago, past a pawn
    (
        ((7528, 2421, 19, 32), (7392, 2575, 14, 19), (3249, 5120, 934, 697)),  # lane 0
        ((1663, 6673, 1663, 1), (1635, 6729, 1635, 1), (3530, 2723, 3530, 217)),  # lane 1
        ((19, 2421, 7528, 32), (14, 2575, 7392, 19), (934, 5120, 3249, 697)),  # lane 2
    ),  # straight from the door, 3 or more, past a pawn
    (
        ((9348, 644, 1, 7), (8834, 1087, 8, 71), (2699, 5756, 499, 1046)),  # lane 0
        ((87, 9391, 516, 6), (254, 9303, 442, 1), (5777, 2526, 1561, 136)),  # lane 1
        ((1, 50, 9948, 1), (1, 174, 9812, 13), (66, 5586, 3581, 767)),  # lane 2
    ),  # came from a lower lane, just now, past a pawn
    (
        ((9348, 644, 1, 7), (8834, 1087, 8, 71), (2699, 5756, 499, 1046)),  # lane 0
        ((550, 7362, 2087, 1), (490, 6873, 2597, 40), (3613, 3850, 2472, 65)),  # lane 1
        ((12, 1220, 8756, 12), (1, 931, 8867, 201), (271, 4836, 4403, 490)),  # lane 2
    ),  # came from a lower lane, 1 step ago, past a pawn
    (
        ((9348, 644, 1, 7), (8834, 1087, 8, 71), (2699, 5756, 499, 1046)),  # lane 0
        ((880, 6984, 2135, 1), (648, 6609, 2742, 1), (3345, 3155, 3476, 24)),  # lane 1
        ((1, 1743, 8226, 30), (1, 1862, 8136, 1), (668, 4625, 3862, 845)),  # lane 2
    ),  # came from a lower lane, 2 steps ago, past a pawn
    (
        ((9348, 644, 1, 7), (8834, 1087, 8, 71), (2699, 5756, 499, 1046)),  # lane 0
        ((1048, 6290, 2661, 1), (894, 6388, 2717, 1), (1038, 4548, 4387, 27)),  # lane 1
        ((8, 2422, 7562, 8), (62, 2535, 7382, 21), (646, 4555, 4059, 740)),  # lane 2
    ),  # came from a lower lane, 3 or more, past a pawn
    (
        ((9948, 50, 1, 1), (9812, 174, 1, 13), (3581, 5586, 66, 767)),  # lane 0
        ((516, 9391, 87, 6), (442, 9303, 254, 1), (1561, 2526, 5777, 136)),  # lane 1
        ((1, 644, 9348, 7), (8, 1087, 8834, 71), (499, 5756, 2699, 1046)),  # lane 2
    ),  # came from a higher lane, just now, past a pawn
    (
        ((8756, 1220, 12, 12), (8867, 931, 1, 201), (4403, 4836, 271, 490)),  # lane 0
        ((2087, 7362, 550, 1), (2597, 6873, 490, 40), (2472, 3850, 3613, 65)),  # lane 1
        ((1, 644, 9348, 7), (8, 1087, 8834, 71), (499, 5756, 2699, 1046)),  # lane 2
    ),  # came from a higher lane, 1 step ago, past a pawn
    (
        ((8226, 1743, 1, 30), (8136, 1862, 1, 1), (3862, 4625, 668, 845)),  # lane 0
        ((2135, 6984, 880, 1), (2742, 6609, 648, 1), (3476, 3155, 3345, 24)),  # lane 1
        ((1, 644, 9348, 7), (8, 1087, 8834, 71), (499, 5756, 2699, 1046)),  # lane 2
    ),  # came from a higher lane, 2 steps ago, past a pawn
    (
        ((7562, 2422, 8, 8), (7382, 2535, 62, 21), (4059, 4555, 646, 740)),  # lane 0
        ((2661, 6290, 1048, 1), (2717, 6388, 894, 1), (4387, 4548, 1038, 27)),  # lane 1
        ((1, 644, 9348, 7), (8, 1087, 8834, 71), (499, 5756, 2699, 1046)),  # lane 2
    ),  # came from a higher lane, 3 or more, past a pawn
    (
        ((9936, 54, 1, 9), (9917, 59, 1, 23), (54, 6949, 20, 2977)),  # lane 0
        ((55, 9889, 55, 1), (64, 9871, 64, 1), (3759, 42, 3759, 2440)),  # lane 1
        ((1, 54, 9936, 9), (1, 59, 9917, 23), (20, 6949, 54, 2977)),  # lane 2
    ),  # straight from the door, just now, past the shield
    (
        ((9444, 526, 4, 26), (8127, 1384, 34, 455), (307, 7060, 852, 1781)),  # lane 0
        ((526, 8938, 526, 10), (1358, 7185, 1358, 99), (4499, 175, 4499, 827)),  # lane 1
        ((4, 526, 9444, 26), (34, 1384, 8127, 455), (852, 7060, 307, 1781)),  # lane 2
    ),  # straight from the door, 1 step ago, past the shield
    (
        ((8809, 1187, 1, 3), (8498, 1461, 4, 37), (670, 7441, 467, 1422)),  # lane 0
        ((865, 8266, 865, 4), (1298, 7403, 1298, 1), (4696, 314, 4696, 294)),  # lane 1
        ((1, 1187, 8809, 3), (4, 1461, 8498, 37), (467, 7441, 670, 1422)),  # lane 2
    ),  # straight from the door, 2 steps ago, past the shield
    (
        ((7359, 2639, 1, 1), (7295, 2703, 1, 1), (3879, 5108, 605, 408)),  # lane 0
        ((1887, 6225, 1887, 1), (1751, 6497, 1751, 1), (3245, 3404, 3245, 106)),  # lane 1
        ((1, 2639, 7359, 1), (1, 2703, 7295, 1), (605, 5108, 3879, 408)),  # lane 2
    ),  # straight from the door, 3 or more, past the shield
    (
        ((9348, 644, 1, 7), (8834, 1087, 8, 71), (2699, 5756, 499, 1046)),  # lane 0
        ((5, 5330, 4658, 7), (33, 5412, 4554, 1), (5788, 2992, 1102, 118)),  # lane 1
        ((1, 30, 9918, 51), (1, 17, 9725, 257), (204, 5317, 3600, 879)),  # lane 2
    ),  # came from a lower lane, just now, past the shield
    (
        ((9348, 644, 1, 7), (8834, 1087, 8, 71), (2699, 5756, 499, 1046)),  # lane 0
        ((4109, 5198, 692, 1), (3203, 5723, 1066, 8), (3226, 3701, 2943, 130)),  # lane 1
        ((1, 1653, 8345, 1), (1, 1635, 8344, 20), (163, 4849, 4288, 700)),  # lane 2
    ),  # came from a lower lane, 1 step ago, past the shield
    (
        ((9348, 644, 1, 7), (8834, 1087, 8, 71), (2699, 5756, 499, 1046)),  # lane 0
        ((2347, 6551, 1101, 1), (1356, 7379, 1264, 1), (2027, 4073, 3842, 58)),  # lane 1
        ((1, 1162, 8836, 1), (1, 1247, 8751, 1), (503, 4405, 4190, 902)),  # lane 2
    ),  # came from a lower lane, 2 steps ago, past the shield
    (
        ((9348, 644, 1, 7), (8834, 1087, 8, 71), (2699, 5756, 499, 1046)),  # lane 0
        ((1028, 7214, 1757, 1), (410, 6802, 2787, 1), (1420, 3914, 4616, 50)),  # lane 1
        ((1, 2081, 7917, 1), (3, 2047, 7949, 1), (550, 4432, 4741, 277)),  # lane 2
    ),  # came from a lower lane, 3 or more, past the shield
    (
        ((9918, 30, 1, 51), (9725, 17, 1, 257), (3600, 5317, 204, 879)),  # lane 0
        ((4658, 5330, 5, 7), (4554, 5412, 33, 1), (1102, 2992, 5788, 118)),  # lane 1
        ((1, 644, 9348, 7), (8, 1087, 8834, 71), (499, 5756, 2699, 1046)),  # lane 2
    ),  # came from a higher lane, just now, past the shield
    (
        ((8345, 1653, 1, 1), (8344, 1635, 1, 20), (4288, 4849, 163, 700)),  # lane 0
        ((692, 5198, 4109, 1), (1066, 5723, 3203, 8), (2943, 3701, 3226, 130)),  # lane 1
        ((1, 644, 9348, 7), (8, 1087, 8834, 71), (499, 5756, 2699, 1046)),  # lane 2
    ),  # came from a higher lane, 1 step ago, past the shield
    (
        ((8836, 1162, 1, 1), (8751, 1247, 1, 1), (4190, 4405, 503, 902)),  # lane 0
        ((1101, 6551, 2347, 1), (1264, 7379, 1356, 1), (3842, 4073, 2027, 58)),  # lane 1
        ((1, 644, 9348, 7), (8, 1087, 8834, 71), (499, 5756, 2699, 1046)),  # lane 2
    ),  # came from a higher lane, 2 steps ago, past the shield
    (
        ((7917, 2081, 1, 1), (7949, 2047, 3, 1), (4741, 4432, 550, 277)),  # lane 0
        ((1757, 7214, 1028, 1), (2787, 6802, 410, 1), (4616, 3914, 1420, 50)),  # lane 1
        ((1, 644, 9348, 7), (8, 1087, 8834, 71), (499, 5756, 2699, 1046)),  # lane 2
    ),  # came from a higher lane, 3 or more, past the shield
)

FELL = (  # ((above * 4 + own) * 2 + sheltered) * 2 + below_pawn
    (861, 91, 2571, 1087, 557, 347, 355, 281, 275, 155, 3420),  #  0 own lane above, own lane here
    (1329, 164, 1588, 1246, 631, 418, 324, 277, 314, 161, 3548),  #  1 own lane above, own lane here, below a pawn
    (7289, 64, 715, 502, 247, 162, 72, 64, 64, 36, 785),  #  2 own lane above, own lane here, sheltered
    (7541, 540, 406, 389, 113, 72, 69, 56, 59, 33, 722),  #  3 own lane above, own lane here, sheltered, below a pawn
    (9508, 12, 189, 83, 30, 16, 10, 8, 6, 6, 132),  #  4 own lane above, next lane here
    (8066, 16, 826, 383, 119, 44, 46, 24, 12, 20, 444),  #  5 own lane above, next lane here, below a pawn
    (9879, 1, 48, 26, 7, 3, 3, 2, 1, 1, 29),  #  6 own lane above, next lane here, sheltered
    (9497, 5, 211, 89, 31, 13, 12, 8, 6, 5, 123),  #  7 own lane above, next lane here, sheltered, below a pawn
    (8675, 52, 369, 163, 80, 51, 47, 37, 38, 21, 467),  #  8 own lane above, far lane here
    (8457, 55, 460, 185, 91, 58, 53, 43, 43, 24, 531),  #  9 own lane above, far lane here, below a pawn
    (8609, 54, 388, 171, 84, 54, 49, 39, 40, 22, 490),  # 10 own lane above, far lane here, sheltered
    (8736, 49, 352, 155, 77, 49, 45, 36, 36, 20, 445),  # 11 own lane above, far lane here, sheltered, below a pawn
    (8997, 28, 436, 88, 44, 28, 27, 21, 22, 12, 297),  # 12 own lane above, gone here
    (9538, 11, 257, 33, 17, 11, 10, 8, 8, 4, 103),  # 13 own lane above, gone here, below a pawn
    (9446, 17, 238, 51, 26, 16, 15, 12, 12, 7, 160),  # 14 own lane above, gone here, sheltered
    (9446, 17, 238, 51, 26, 16, 15, 12, 12, 7, 160),  # 15 own lane above, gone here, sheltered, below a pawn
    (3570, 2183, 906, 829, 334, 256, 143, 119, 92, 11, 1557),  # 16 next lane above, own lane here
    (4023, 2224, 986, 540, 350, 212, 92, 52, 166, 24, 1331),  # 17 next lane above, own lane here, below a pawn
    (4001, 2191, 1092, 814, 239, 132, 83, 72, 101, 22, 1253),  # 18 next lane above, own lane here, sheltered
    (3036, 3382, 884, 610, 281, 154, 97, 81, 108, 24, 1343),  # 19 next lane above, own lane here, sheltered, below a pawn
    (9892, 11, 51, 22, 3, 3, 1, 1, 1, 1, 14),  # 20 next lane above, next lane here
    (9949, 8, 16, 10, 3, 1, 1, 1, 1, 1, 9),  # 21 next lane above, next lane here, below a pawn
    (9976, 3, 10, 3, 1, 1, 1, 1, 1, 1, 2),  # 22 next lane above, next lane here, sheltered
    (9978, 3, 8, 3, 1, 1, 1, 1, 1, 1, 2),  # 23 next lane above, next lane here, sheltered, below a pawn
    (9765, 2, 133, 27, 7, 5, 5, 4, 4, 2, 46),  # 24 next lane above, far lane here
    (9890, 2, 50, 16, 4, 3, 3, 2, 2, 1, 27),  # 25 next lane above, far lane here, below a pawn
    (9972, 1, 11, 3, 1, 1, 1, 1, 1, 1, 7),  # 26 next lane above, far lane here, sheltered
    (9966, 1, 14, 4, 1, 1, 1, 1, 1, 1, 9),  # 27 next lane above, far lane here, sheltered, below a pawn
    (9897, 4, 32, 15, 6, 3, 3, 3, 3, 1, 33),  # 28 next lane above, gone here
    (9708, 11, 78, 52, 16, 10, 10, 8, 8, 4, 95),  # 29 next lane above, gone here, below a pawn
    (9923, 3, 21, 12, 4, 3, 3, 2, 2, 1, 26),  # 30 next lane above, gone here, sheltered
    (9857, 6, 40, 21, 8, 5, 5, 4, 4, 2, 48),  # 31 next lane above, gone here, sheltered, below a pawn
    (5506, 394, 739, 680, 166, 124, 371, 111, 113, 77, 1719),  # 32 far lane above, own lane here
    (5562, 254, 622, 892, 180, 134, 399, 118, 120, 74, 1645),  # 33 far lane above, own lane here, below a pawn
    (5249, 576, 807, 718, 205, 145, 313, 120, 122, 75, 1670),  # 34 far lane above, own lane here, sheltered
    (5512, 347, 800, 712, 204, 143, 311, 119, 121, 74, 1657),  # 35 far lane above, own lane here, sheltered, below a pawn
    (9953, 1, 12, 6, 3, 2, 2, 1, 1, 1, 18),  # 36 far lane above, next lane here
    (9990, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),  # 37 far lane above, next lane here, below a pawn
    (9965, 1, 11, 4, 2, 1, 1, 1, 1, 1, 12),  # 38 far lane above, next lane here, sheltered
    (9990, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),  # 39 far lane above, next lane here, sheltered, below a pawn
    (9956, 1, 21, 7, 3, 1, 1, 1, 1, 1, 7),  # 40 far lane above, far lane here
    (9978, 1, 6, 4, 1, 1, 1, 1, 1, 1, 5),  # 41 far lane above, far lane here, below a pawn
    (9984, 1, 5, 1, 1, 1, 1, 1, 1, 1, 3),  # 42 far lane above, far lane here, sheltered
    (9988, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1),  # 43 far lane above, far lane here, sheltered, below a pawn
    (9865, 5, 44, 15, 8, 5, 4, 4, 4, 2, 44),  # 44 far lane above, gone here
    (9937, 3, 18, 7, 4, 2, 2, 2, 2, 1, 22),  # 45 far lane above, gone here, below a pawn
    (9886, 5, 33, 14, 7, 4, 4, 3, 3, 2, 39),  # 46 far lane above, gone here, sheltered
    (9881, 5, 35, 14, 7, 5, 4, 3, 3, 2, 41),  # 47 far lane above, gone here, sheltered, below a pawn
    (9091, 39, 234, 115, 56, 36, 33, 26, 27, 15, 328),  # 48 gone above, own lane here
    (9091, 39, 234, 115, 56, 36, 33, 26, 27, 15, 328),  # 49 gone above, own lane here, below a pawn
    (9091, 39, 234, 115, 56, 36, 33, 26, 27, 15, 328),  # 50 gone above, own lane here, sheltered
    (9091, 39, 234, 115, 56, 36, 33, 26, 27, 15, 328),  # 51 gone above, own lane here, sheltered, below a pawn
    (9091, 39, 234, 115, 56, 36, 33, 26, 27, 15, 328),  # 52 gone above, next lane here
    (9091, 39, 234, 115, 56, 36, 33, 26, 27, 15, 328),  # 53 gone above, next lane here, below a pawn
    (9091, 39, 234, 115, 56, 36, 33, 26, 27, 15, 328),  # 54 gone above, next lane here, sheltered
    (9091, 39, 234, 115, 56, 36, 33, 26, 27, 15, 328),  # 55 gone above, next lane here, sheltered, below a pawn
    (9091, 39, 234, 115, 56, 36, 33, 26, 27, 15, 328),  # 56 gone above, far lane here
    (9091, 39, 234, 115, 56, 36, 33, 26, 27, 15, 328),  # 57 gone above, far lane here, below a pawn
    (9091, 39, 234, 115, 56, 36, 33, 26, 27, 15, 328),  # 58 gone above, far lane here, sheltered
    (9091, 39, 234, 115, 56, 36, 33, 26, 27, 15, 328),  # 59 gone above, far lane here, sheltered, below a pawn
    (9967, 1, 8, 4, 3, 1, 1, 1, 1, 1, 12),  # 60 gone above, gone here
    (9990, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),  # 61 gone above, gone here, below a pawn
    (9966, 1, 8, 6, 2, 1, 1, 1, 1, 1, 12),  # 62 gone above, gone here, sheltered
    (9931, 2, 16, 9, 5, 3, 3, 2, 2, 1, 26),  # 63 gone above, gone here, sheltered, below a pawn
)

SHIFT = (
    ((88, 11, 1), (44, 12, 44), (1, 11, 88)),  # on its own step
    ((95, 4, 1), (10, 80, 10), (1, 4, 95)),  # one step down
    ((69, 25, 6), (31, 38, 31), (6, 25, 69)),  # two or more
)
