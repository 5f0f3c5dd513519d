// The client: requests with the generated types, writes that are made once, and the event stream.

package referee.play

import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.net.http.HttpResponse.BodyHandlers
import java.time.Duration
import java.util.UUID
import kotlinx.serialization.encodeToString
import kotlinx.serialization.json.Json
import referee.models.Entry
import referee.models.Problem

/** Fields that a newer server adds are passed over; what is not said is not sent. */
val json = Json {
    ignoreUnknownKeys = true
    explicitNulls = false
}

/** What the server refuses, in the words of the reader's language. */
class Refused(val problem: Problem) : Exception(problem.detail)

/** A client of one server, in one language; without a token until a table has been joined. */
class Client(val server: String, val language: String, val token: String? = null) {
    // Without TLS there is no HTTP/2 to offer.
    val http: HttpClient = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(Duration.ofSeconds(10))
        .build()

    fun request(path: String): HttpRequest.Builder {
        val request = HttpRequest.newBuilder(URI.create("$server/api/v1$path"))
        request.header("Accept-Language", language)
        if (token != null) request.header("Authorization", "Bearer $token")
        return request
    }

    inline fun <reified T> get(path: String): T =
        read(http.send(request(path).build(), BodyHandlers.ofString()))

    /**
     * Send a write until it is answered. Each try brings the same key, so that the server gives the
     * answer it gave the first time if it did hear that. Throws Refused.
     */
    inline fun <reified B, reified T> post(path: String, body: B): T {
        val request = request(path)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", UUID.randomUUID().toString())
            .POST(HttpRequest.BodyPublishers.ofString(json.encodeToString(body)))
            .build()
        var tried = 1
        while (true) {
            try {
                val answer = http.send(request, BodyHandlers.ofString())
                val later = answer.headers().firstValue("Retry-After")
                if (later.isEmpty || tried == TRIES) return read(answer)
                Thread.sleep(1000 * later.get().toLong())
            } catch (broken: java.io.IOException) {
                if (tried == TRIES) throw broken
                Thread.sleep(minOf(250L shl tried, 10_000L))
            }
            tried++
        }
    }

    inline fun <reified T> read(answer: HttpResponse<String>): T {
        if (answer.statusCode() >= 400) throw Refused(json.decodeFromString(answer.body()))
        return json.decodeFromString(answer.body())
    }

    /** Events after number `last`, until `enough` says so; one connection. Throws Refused. */
    fun follow(table: String, last: Long, enough: (Entry) -> Boolean) {
        val request = request("/tables/$table/events")
            .header("Accept", "text/event-stream")
            .header("Last-Event-ID", "$last")
            .build()
        val answer = http.send(request, BodyHandlers.ofLines())
        if (answer.statusCode() >= 400) {
            throw Refused(json.decodeFromString(answer.body().toList().joinToString("\n")))
        }
        var id: String? = null
        answer.body().use { lines ->
            for (line in lines) {
                if (line.startsWith("id: ")) id = line.removePrefix("id: ")
                // Without an id it concerns the stream, not the table.
                if (line.startsWith("data: ") && id != null) {
                    if (enough(json.decodeFromString(line.removePrefix("data: ")))) return
                    id = null
                }
            }
        }
    }

    companion object {
        const val TRIES = 8
    }
}
