// A foot: a magnet in the middle, four holes for the pegs. -D name="U" (U, N, O, X for !).
include <dimensions.scad>
name = "U";
$fn = 48;
n = search([name], ["U", "N", "O", "X"])[0];

// Origin: the middle of the underside; printed as it stands.
difference() {
    translate([-foot_side / 2, -foot_side / 2, 0]) cube([foot_side, foot_side, foot_height]);
    translate([0, 0, gap_skin]) cylinder(d = foot_magnet_pocket_diameter, h = foot_height);
    for (turn = [0:90:270]) rotate(turn) translate([keys[n] / 2, 0, -0.01]) {
        cylinder(d = foot_hole_diameter, h = foot_hole_depth);
        cylinder(d1 = foot_hole_diameter + 1.2, d2 = foot_hole_diameter, h = 0.6);
    }
    translate([0, foot_side / 2 - 5.5, foot_height - 0.6])
        linear_extrude(1) text(key_names[n], size = 5, halign = "center", valign = "center", font = "DejaVu Sans:style=Bold");
}
