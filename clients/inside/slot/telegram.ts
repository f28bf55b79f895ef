import { createServer, type IncomingMessage, type Server } from 'node:http'

/** Somebody who writes in a chat. */
export interface Person {
  id: number
  name: string
}

type Fields = Record<string, unknown>

// Milliseconds for which a question for news stays open.
const poll = 1_000
const bot = { id: 1, is_bot: true, first_name: 'Agent', username: 'agent_bot' }

/** Telegram's servers, as far as OpenClaw asks them: one group, in which several people write. */
export class Telegram {
  readonly group = -1_001_234
  readonly token = '1:token'
  /** What the agent has said in the group. */
  readonly said: string[] = []
  readonly #updates: Fields[] = []
  readonly #server: Server
  #count = 0

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#answer(request).then((result) => {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ ok: true, result }))
      })
    })
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    if (typeof address !== 'object' || address === null) throw new Error('It has no port.')
    return `http://127.0.0.1:${address.port}`
  }

  /** Somebody writes in the group. */
  write({ id, name }: Person, text: string): void {
    this.#count += 1
    const from = { id, is_bot: false, first_name: name, username: name.toLowerCase() }
    const [command] = /^\/\w+/.exec(text) ?? []
    const entities = command && [{ type: 'bot_command', offset: 0, length: command.length }]
    this.#updates.push({
      update_id: this.#count,
      message: {
        message_id: this.#count,
        date: Math.floor(Date.now() / 1000),
        chat: { id: this.group, type: 'supergroup', title: 'Harbor' },
        from,
        text,
        ...(entities && { entities }),
      },
    })
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage): Promise<unknown> {
    const asked = await fieldsOf(request)
    const method = (request.url ?? '').split('?')[0]?.split('/').at(-1)
    switch (method) {
      case 'getMe':
        return { ...bot, can_read_all_group_messages: true, can_join_groups: true }
      case 'getUpdates':
        return this.#news(Number(asked['offset'] ?? 0))
      case 'getChat':
        return { id: this.group, type: 'supergroup', title: 'Harbor' }
      case 'getChatMember':
        return { status: 'administrator', user: bot }
      case 'sendMessage':
      case 'editMessageText': {
        if (typeof asked['text'] === 'string') this.said.push(asked['text'])
        this.#count += 1
        const chat = { id: this.group, type: 'supergroup', title: 'Harbor' }
        return { message_id: this.#count, date: 1, chat, from: bot, text: asked['text'] }
      }
      default:
        return true
    }
  }

  async #news(offset: number): Promise<Fields[]> {
    const end = performance.now() + poll
    for (;;) {
      const news = this.#updates.filter(({ update_id: id }) => Number(id) >= offset)
      if (news.length > 0 || performance.now() > end) return news
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

async function fieldsOf(request: IncomingMessage): Promise<Fields> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  if (text === '') return Object.fromEntries(new URL(request.url ?? '', 'http://a').searchParams)
  if (text.startsWith('{')) return JSON.parse(text) as Fields
  return Object.fromEntries(new URLSearchParams(text))
}
