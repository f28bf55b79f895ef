import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a provider bills for a request, in tokens. */
export interface Receipt {
  /** Read from its cache, written to it, and neither. */
  read: number
  written: number
  fresh: number
  output: number
  /** Whether it was asked by the agent, or for a summary. */
  for: 'agent' | 'summary'
}

/** A provider that bills as the real ones do; its clock is the caller’s. */
export interface BillingProvider {
  readonly url: string
  readonly receipts: readonly Receipt[]
  close: () => Promise<void>
}

export type Billing = 'anthropic' | 'openai'

type Fields = Record<string, unknown>

// Both keep a prompt for five minutes after its last use.
const life = 5 * 60_000
const bytesPerToken = 4
const fewestTokens = 1_024
// Anthropic looks for what it has written at most so many blocks before a breakpoint.
const lookback = 20
const outputTokens = 150
const summaryTokens = 900

const summary = `## Goal\nRework the modules.\n\n## Instructions\n- Never edit main.ts.\n\n## Discoveries\n- ${'Each file holds values that its neighbours read. '.repeat(20)}\n\n## Accomplished\n- ${'A module was read and reworked. '.repeat(40)}\n\n## Relevant files\n- src/module1/file1.ts`

/** Starts one. */
export async function startBilling(billing: Billing, now: () => number): Promise<BillingProvider> {
  const receipts: Receipt[] = []
  const cache = new Map<string, number>()
  const server = createServer((incoming, outgoing) => {
    void serve(incoming, outgoing).catch(() => outgoing.destroy())
  })

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Fields
    const isAgent = Array.isArray(body['tools'])
    const input = billing === 'anthropic' ? byBreakpoints(body) : byPrefix(body)
    const receipt: Receipt = {
      ...input,
      output: isAgent ? outputTokens : summaryTokens,
      for: isAgent ? 'agent' : 'summary',
    }
    receipts.push(receipt)
    outgoing.writeHead(200, { 'content-type': 'application/json' })
    outgoing.end(JSON.stringify(answerOf(billing, receipt)))
  }

  const isAlive = (hash: string): boolean => now() - (cache.get(hash) ?? -Infinity) <= life

  /** Anthropic: what stands before a mark is written, and read again where it was written before. */
  function byBreakpoints(body: Fields): Pick<Receipt, 'read' | 'written' | 'fresh'> {
    const blocks = blocksOf(body)
    const hashes: string[] = []
    const sizes: number[] = []
    const hash = createHash('sha256')
    let size = 0
    for (const { text } of blocks) {
      hash.update(text)
      hashes.push(hash.copy().digest('base64'))
      size += text.length / bytesPerToken
      sizes.push(size)
    }
    const marks = blocks.flatMap(({ isMark }, index) => (isMark ? [index] : []))
    const last = marks.at(-1)
    let hit = -1
    for (const mark of marks.toReversed()) {
      for (let at = mark; at >= Math.max(0, mark - lookback) && hit < 0; at--) {
        if (isAlive(hashes[at] as string)) hit = at
      }
    }
    const read = hit < 0 ? 0 : (sizes[hit] as number)
    if (hit >= 0) cache.set(hashes[hit] as string, now())
    const upTo = last === undefined ? 0 : (sizes[last] as number)
    const isWritten = upTo >= fewestTokens
    if (isWritten) for (const mark of marks) cache.set(hashes[mark] as string, now())
    const written = isWritten ? Math.max(upTo - read, 0) : 0
    return { read, written, fresh: size - read - written }
  }

  /** OpenAI: the longest beginning of which it has heard, by itself, in pieces of 128 tokens. */
  function byPrefix(body: Fields): Pick<Receipt, 'read' | 'written' | 'fresh'> {
    const text = Buffer.from(
      blocksOf(body)
        .map((block) => block.text)
        .join(''),
    )
    const piece = 128 * bytesPerToken
    const hash = createHash('sha256')
    let hit = 0
    let isSame = true
    for (let at = piece; at <= text.length; at += piece) {
      hash.update(text.subarray(at - piece, at))
      const upTo = hash.copy().digest('base64')
      isSame &&= isAlive(upTo)
      if (isSame) hit = at
      cache.set(upTo, now())
    }
    const tokens = text.length / bytesPerToken
    const read = hit / bytesPerToken >= fewestTokens ? hit / bytesPerToken : 0
    return { read, written: 0, fresh: tokens - read }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    receipts,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A request in the order in which a provider reads it: tools, instructions, messages. */
function blocksOf(body: Fields): { text: string; isMark: boolean }[] {
  const { tools, system, messages } = body
  const listed = (value: unknown): unknown[] =>
    Array.isArray(value) ? value : value === undefined ? [] : [value]
  return [
    ...listed(tools),
    ...listed(system),
    ...listed(messages).flatMap((message) => {
      const { role, content, ...rest } = message as Fields
      const [first, ...others] = listed(content)
      return [[role, rest, first] as unknown, ...others]
    }),
  ].map((block) => {
    const text = JSON.stringify(block, (name, value: unknown) =>
      name === 'cache_control' ? undefined : value,
    )
    return { text, isMark: JSON.stringify(block).includes('"cache_control"') }
  })
}

function answerOf(billing: Billing, receipt: Receipt): object {
  const { read, written, fresh, output } = receipt
  const text = receipt.for === 'summary' ? summary : 'Next.'
  const [cached, created, rest] = [read, written, fresh].map((tokens) => Math.round(tokens))
  if (billing === 'anthropic') {
    return {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'bench',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage: {
        input_tokens: rest,
        cache_read_input_tokens: cached,
        cache_creation_input_tokens: created,
        output_tokens: output,
      },
    }
  }
  return {
    id: 'chatcmpl-1',
    model: 'bench',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: Math.round(read + fresh),
      completion_tokens: output,
      prompt_tokens_details: { cached_tokens: cached },
    },
  }
}
