// The station: a plate with four sockets, and a box under it.
// Dimensions come from ../plans.toml by way of dimensions.scad; -D part="plate" or "box".
include <dimensions.scad>
part = "plate";
$fn = 48;
half = socket_pitch / 2;
plate_thick = socket_depth + gap_floor;

module at_sockets() {
    // As one looks at the station, its jack towards you: U and N behind, O and ! in front.
    translate([-half, half]) children(0);
    translate([half, half]) children(1);
    translate([-half, -half]) children(2);
    translate([half, -half]) children(3);
}

module peg_pair(key) {
    // They begin inside the bottom: bodies that only touch would stay bodies of their own.
    for (side = [-1, 1]) translate([side * key / 2, 0, gap_floor]) {
        translate([0, 0, -1]) cylinder(d = socket_peg_diameter, h = socket_peg_height + 0.4);
        translate([0, 0, socket_peg_height - 0.6])
            cylinder(d1 = socket_peg_diameter, d2 = socket_peg_diameter - 1, h = 0.6);
    }
}

module recess() {
    translate([-socket_side / 2, -socket_side / 2, gap_floor])
        cube([socket_side, socket_side, socket_depth + 1]);
}

module label(text_) {
    translate([0, 0, plate_thick - 0.6]) linear_extrude(1)
        text(text_, size = 5, halign = "center", valign = "center", font = "DejaVu Sans:style=Bold");
}

module corners() {
    for (x = [-1, 1], y = [-1, 1]) translate([x * station_corner, y * station_corner, 0]) children();
}

// Origin: underside of the plate, in the middle of the station; z upward. Printed as it stands.
module plate() {
    difference() {
        translate([-station_side / 2, -station_side / 2, 0])
            cube([station_side, station_side, plate_thick]);
        at_sockets() { recess(); recess(); recess(); recess(); }
        translate([0, 0, -1]) cylinder(d = station_light_hole, h = plate_thick + 2);
        corners() {
            translate([0, 0, -1]) cylinder(d = station_screw_hole, h = plate_thick + 2);
            translate([0, 0, plate_thick - 4]) cylinder(d = station_head_hole, h = 5);
        }
        for (n = [0:3])
            translate([n % 2 == 0 ? -half : half, (n < 2 ? 1 : -1) * (station_side / 2 - 4.6), 0])
                label(key_names[n]);
    }
    at_sockets() { peg_pair(keys[0]); peg_pair(keys[1]); peg_pair(keys[2]); peg_pair(keys[3]); }
}

// Origin: underside of the box, in the middle of the station.
module box() {
    tall = station_height - plate_thick;
    board_low = tall - gap_air - board_thickness;
    inner = station_side - 2 * station_wall;
    difference() {
        union() {
            difference() {
                translate([-station_side / 2, -station_side / 2, 0])
                    cube([station_side, station_side, tall]);
                translate([-inner / 2, -inner / 2, station_wall]) cube([inner, inner, tall]);
            }
            for (at = station_board_screws) translate([at[0], -at[1], 0])
                cylinder(d = station_post_diameter, h = board_low);
            corners() cylinder(d = station_post_diameter, h = tall);
        }
        for (at = station_board_screws) translate([at[0], -at[1], board_low - 8])
            cylinder(d = station_post_bore, h = 9);
        corners() translate([0, 0, tall - 10]) cylinder(d = station_post_bore, h = 11);
        // The jack hangs under the board and looks out here.
        translate([-station_jack_slot / 2, -station_side / 2 - 1, board_low - 14])
            cube([station_jack_slot, station_wall + 2, tall]);
    }
}

// For two magnetometer breakouts: each chip, not each breakout, lies over a cross.
module box_two() {
    tall = station_height - plate_thick;
    inner = station_side - 2 * station_wall;
    shelf = tall + gap_floor + gap_skin - magnetometers_height - magnetometers_above_shelf;
    difference() {
        union() {
            difference() {
                translate([-station_side / 2, -station_side / 2, 0])
                    cube([station_side, station_side, tall]);
                translate([-inner / 2, -inner / 2, station_wall]) cube([inner, inner, tall]);
            }
            for (y = [-half, half]) translate([-14, y - 11, 0]) cube([28, 22, shelf]);
            corners() cylinder(d = station_post_diameter, h = tall);
        }
        for (y = [-half, half]) translate([0, y, shelf]) {
            cube([24, 0.8, 0.8], center = true);
            cube([0.8, 18, 0.8], center = true);
        }
        corners() translate([0, 0, tall - 10]) cylinder(d = station_post_bore, h = 11);
        translate([-station_jack_slot / 2, -station_side / 2 - 1, 8]) cube([station_jack_slot, station_wall + 2, tall]);
    }
}

if (part == "plate") plate();
if (part == "box-two") box_two();
if (part == "box") box();
