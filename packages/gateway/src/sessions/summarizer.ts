import { headSummarizer } from 'throughline/hosts'
import { SummaryFailedError, type Summarizer } from 'throughline'
import { eventReader } from '../answers/events.ts'
import { isEventStream } from '../answers/begun-answer.ts'
import { readBody } from '../server/read-body.ts'
import { targetOf } from '../upstream/targets.ts'
import type { Caller } from '../identity/caller.ts'
import type { Wire } from '../wires/wire.ts'
import type { Fields } from '../body/json.ts'
import type { Headers } from '../server/headers.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** How the client asks its provider, for a summary to be asked for in the same way. */
export interface OwnWay {
  caller: Caller
  base: string
  path: string
  search: string
  headers: Headers
  /** What the request says of how much may be answered. */
  fields: Fields
}

const longestAnswer = 4 * 1024 * 1024
// Not of a request whose body is another.
const ofThatBody = new Set(['content-length', 'content-encoding', 'accept-encoding'])

/** What makes a session's summaries; with `false`, no model is asked. */
export function summarizerFor(
  wire: Wire,
  model: string | false,
  upstream: Upstream,
): ((way: () => OwnWay) => Summarizer) | undefined {
  return model === false ? undefined : (way) => ownSummarizer(wire, model, { upstream, way })
}

/**
 * Summaries by the provider and with the key of the session itself: as its client asked last. The
 * key is never stored.
 */
function ownSummarizer(
  wire: Wire,
  model: string,
  { upstream, way }: { upstream: Upstream; way: () => OwnWay },
): Summarizer {
  return headSummarizer(
    model,
    async (question) => {
      const { caller, base, path, search, headers, fields } = way()
      const { body, path: to } = wire.summary(question, { model, path, fields })
      const isGemini = to !== path
      const answer = await upstream.send({
        caller,
        method: 'POST',
        url: targetOf(base, to, isGemini ? search.replace(/([?&])alt=sse&?/, '$1') : search),
        headers: {
          ...Object.fromEntries(Object.entries(headers).filter(([name]) => !ofThatBody.has(name))),
          'content-type': 'application/json',
          'accept-encoding': 'identity',
        },
        body: Buffer.from(JSON.stringify(body)),
        asks: { model, output: question.maxTokens },
        signal: question.signal ?? new AbortController().signal,
      })
      const bytes = await readBody(answer.body, longestAnswer)
      if (answer.status >= 400) {
        const said = { statusCode: answer.status, responseBody: bytes.toString('utf8') }
        const message = `the provider answered ${answer.status}: ${said.responseBody}`
        throw new SummaryFailedError(message, { calls: [], cause: said })
      }
      const reader = eventReader(isEventStream(answer.headers))
      return wire.summaryText([...reader.read(bytes), ...reader.end()])
    },
    {},
  )
}
