import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// A provider as a process of its own, as cheap as it can be: what is measured stands before it. It
// answers with as many events as the request's headers say, at their pace.
const summary =
  '## Goal\nRework the modules one after the other.\n\n## Instructions\n- Never edit main.ts.\n\n## Discoveries\n- Each file holds values that its neighbours read.\n\n## Accomplished\n- The first modules were read and reworked; the next ones follow.\n\n## Relevant files\n- src/module1/file1.ts'

let summaries = 0

const server = createServer((incoming, outgoing) => {
  void answer(incoming, outgoing).catch(() => outgoing.destroy())
})

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  let bytes = 0
  let head = ''
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    if (head === '') head = chunk.toString('latin1', 0, 200)
    bytes += chunk.length
  }
  const usage = {
    prompt_tokens: Math.ceil(bytes / 4),
    completion_tokens: 100,
    total_tokens: Math.ceil(bytes / 4) + 100,
  }
  // Only what our agents ask begins so: all else is asked for a summary.
  if (!head.startsWith('{"model":"bench","stream":true')) {
    summaries += 1
    outgoing.writeHead(200, { 'content-type': 'application/json' })
    const message = { role: 'assistant', content: summary }
    outgoing.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage }))
    return
  }
  const count = Number(incoming.headers['x-bench-events'] ?? 20)
  const pace = Number(incoming.headers['x-bench-pace'] ?? 0)
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  outgoing.write(event({ delta: { role: 'assistant', content: '' } }))
  for (let index = 0; index < count; index++) {
    if (pace > 0) await new Promise((resolve) => setTimeout(resolve, pace))
    // What is written when, in the event itself: whoever reads it knows how late it is.
    outgoing.write(
      event({
        delta: {
          content: `word ${pace > 0 ? performance.timeOrigin + performance.now() : index} `,
        },
      }),
    )
  }
  outgoing.write(event({ delta: {}, finish_reason: 'stop' }))
  outgoing.end(
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: 'bench', choices: [], usage })}\n\ndata: [DONE]\n\n`,
  )
}

function event(choice: object): string {
  return `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'bench',
    choices: [{ index: 0, ...choice }],
  })}\n\n`
}

server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})
process.on('message', () => process.send?.({ ...process.cpuUsage(), summaries }))
process.on('disconnect', () => process.exit())
