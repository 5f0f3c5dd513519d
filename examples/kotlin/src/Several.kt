// Values of several types, which the generator names and leaves out: they stay JSON.

package referee.models

import kotlinx.serialization.json.JsonElement

typealias DiscrepancyIs = JsonElement
typealias DiscrepancyShould = JsonElement
typealias ObservationPowersValue = JsonElement
typealias ResultHandsValue = JsonElement
typealias StateWinner = JsonElement
