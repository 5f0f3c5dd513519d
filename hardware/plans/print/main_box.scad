// The box of the main board: open above, slots for the jacks and the Pico's cable.
include <dimensions.scad>
part = "box";
$fn = 48;
wall = station_wall;

module box() {
    difference() {
        translate([-main_box_width / 2, -main_box_depth / 2, 0])
            cube([main_box_width, main_box_depth, main_box_height]);
        translate([-main_box_width / 2 + wall, -main_box_depth / 2 + wall, main_box_floor])
            cube([main_box_width - 2 * wall, main_box_depth - 2 * wall, main_box_height]);
        for (side = [-1, 1]) translate([-main_box_jack_slot / 2, side * main_box_depth / 2 - 5, main_box_floor + main_box_lift + board_thickness - 0.5])
            cube([main_box_jack_slot, 10, main_box_height]);
        translate([-main_box_width / 2 - 5, -main_box_usb_slot / 2, main_box_floor + main_box_lift + board_thickness - 0.5])
            cube([10, main_box_usb_slot, main_box_height]);
    }
    for (x = [-1, 1], y = [-1, 1])
        translate([x * (main_box_board_width / 2 - main_box_screw_from_edge), y * (main_box_board_height / 2 - main_box_screw_from_edge), 0])
            difference() {
                cylinder(d = station_post_diameter, h = main_box_floor + main_box_lift);
                translate([0, 0, main_box_floor]) cylinder(d = station_post_bore, h = main_box_lift + 1);
            }
}
module lid() {
    cube([main_box_width, main_box_depth, main_box_lid], center = true);
    translate([0, 0, 2]) difference() {
        cube([main_box_width - 2 * wall - 0.4, main_box_depth - 2 * wall - 0.4, 3], center = true);
        cube([main_box_width - 2 * wall - 3, main_box_depth - 2 * wall - 3, 4], center = true);
        for (side = [-1, 1]) translate([0, side * main_box_depth / 2, 0]) cube([72, 12, 6], center = true);
        translate([-main_box_width / 2, 0, 0]) cube([12, 18, 6], center = true);
    }
}
if (part == "box") box();
if (part == "lid") lid();
