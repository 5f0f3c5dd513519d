// Opens a table, lets three seats join, plays a few moves, and says what the stream tells.

package referee.play

import kotlin.system.exitProcess
import referee.models.Entry
import referee.models.Join
import referee.models.Joined
import referee.models.MadeTable
import referee.models.NewRound
import referee.models.NewTable
import referee.models.PlayMove
import referee.models.Ruling
import referee.models.Server
import referee.models.Table

const val NEEDED_LEVEL = 1

fun main(arguments: Array<String>) {
    val (server, language) = arguments
    val anybody = Client(server, language)
    val level = anybody.get<Server>("").featureLevel
    if (level < NEEDED_LEVEL) {
        System.err.println("This app needs feature level $NEEDED_LEVEL; the server has $level.")
        exitProcess(1)
    }
    val names = listOf("Ann", "Bo", "Cy")
    val made: MadeTable = anybody.post("/tables", NewTable("classic-108", names))
    val table = made.table.id
    val host = Client(server, language, made.token)
    val seats = names.indices.map { index ->
        val joined: Joined = anybody.post("/join", Join(made.table.code, index + 1))
        Client(server, language, joined.token)
    }
    host.post<NewRound, Entry>("/tables/$table/rounds", NewRound(listOf("red-7"), dealer = 1))
    var last = 0L
    for ((seat, card) in listOf(2 to "red-3", 3 to "blue-5", 3 to "red-5")) {
        val play = PlayMove(PlayMove.Move.play, card)
        val entry: Entry = seats[seat - 1].post("/tables/$table/moves", play)
        if (entry.ruling?.verdict == Ruling.Verdict.illegal) println("  ${entry.ruling.text}")
        last = entry.id
    }
    seats[1].follow(table, 1) { entry ->
        entry.announcements.orEmpty().forEach(::println)
        entry.id >= last
    }
    println(host.get<Table>("/tables/$table").state.top)
    try {
        anybody.post<Join, Joined>("/join", Join(made.table.code, 2))
    } catch (refused: Refused) {
        println("${refused.problem.type} ${refused.message}")
    }
}
