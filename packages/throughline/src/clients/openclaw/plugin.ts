import { clientSettings } from '../settings.ts'
import {
  compactDescription,
  compactInputSchema,
  compactReply,
} from '../../session/agent/compact-tool.ts'
import { engineId, recallName, slotOf } from './engine.ts'
import { formatTokens } from '../../tokens/windows.ts'
import { openClientStore } from '../client-store.ts'
import { pinDescription, pinInputSchema, pinReply } from '../../session/agent/pin-tool.ts'
import { recallDescription, recallInputSchema, recallReply } from '../../session/recall/reply.ts'
import { ThroughlineError } from '../../log/throughline-error.ts'
import { writeClientRecord } from '../record.ts'
import type { OpenClawApi, OpenClawTool } from './api.ts'
import type { Session } from '../../session/session.ts'

const client = 'openclaw'

/** Throughline as OpenClaw's context engine: the slot, three tools and a command. */
export function extend(api: OpenClawApi, env = process.env): void {
  const { store, lost } = openClientStore(client, env)
  const { local } = clientSettings(client, env)
  const record = (entry: Omit<Parameters<typeof writeClientRecord>[0], 'at' | 'client'>) =>
    writeClientRecord({ at: Date.now(), client, ...entry }, env)
  const make = () =>
    slotOf({
      store,
      local,
      failed: (session, error) =>
        record({
          event: 'error',
          session,
          reason: error instanceof Error ? error.message : String(error),
        }),
      compacted: (session, { before, after }) =>
        record({ event: 'compaction', session, before, after }),
    })
  const slot = make()
  api.registerContextEngine(engineId, () => {
    record({ event: 'start', ...(lost !== undefined && { reason: `nothing is kept: ${lost}` }) })
    return slot.engine
  })

  const tool = (
    name: string,
    about: { description: string; parameters: object },
    reply: (input: unknown) => Promise<{ text: string } | { error: string }>,
  ): OpenClawTool => ({
    name,
    label: name,
    ...about,
    async execute(_, input) {
      const said = await reply(input)
      return { content: [{ type: 'text', text: 'text' in said ? said.text : said.error }] }
    },
  })

  api.registerTool?.(
    ({ sessionId: id }) =>
      id === undefined
        ? null
        : [
            tool(
              recallName,
              { description: recallDescription, parameters: recallInputSchema },
              (input) => recallReply(store, id, input),
            ),
            tool(
              'throughline_pin',
              { description: pinDescription, parameters: pinInputSchema },
              async (input) => pinReply(await slot.port.session(id), input),
            ),
            tool(
              'throughline_compact',
              { description: compactDescription, parameters: compactInputSchema },
              async (input) => {
                const reply = compactReply(await slot.port.session(id), input)
                if ('asked' in reply) slot.ask(id, reply.asked.focus)
                return reply
              },
            ),
          ],
    { names: [recallName, 'throughline_pin', 'throughline_compact'] },
  )

  api.registerCommand?.({
    name: 'throughline',
    description: 'Context: status, show, pin <text>, undo, doctor, off',
    acceptsArgs: true,
    requireAuth: true,
    async handler({ sessionId, args = '' }) {
      if (sessionId === undefined) return { text: 'Send a message first: there is no session yet.' }
      const session = await slot.port.session(sessionId)
      await session.sync()
      return { text: await answer(session, args, lost) }
    },
  })
}

async function answer(session: Session, words: string, lost: string | undefined): Promise<string> {
  const [, verb = '', rest = ''] = /^\s*(\S*)\s*([\s\S]*?)\s*$/.exec(words) ?? []
  switch (verb) {
    case '':
    case 'status':
      return statusText(session)
    case 'show':
      return session.context().checkpoint?.summary ?? 'Nothing has been summarized yet.'
    case 'doctor':
      return [
        lost === undefined ? 'The store can be written.' : `Nothing is kept: ${lost}.`,
        await statusText(session),
      ].join('\n')
    case 'off':
      return 'Run: openclaw config set plugins.slots.contextEngine legacy — and restart the gateway. Nothing is lost.'
    case 'pin':
      if (rest === '') return 'Say what to pin: /throughline pin <text>'
      return attempt(async () => {
        await session.pin(rest)
        return 'Pinned: it stays word for word through every compaction.'
      })
    case 'undo':
      return attempt(async () => {
        const { kind } = await session.undo()
        return `Undone: the newest ${kind === 'prune' ? 'pruning' : 'summary'}. What was said since stays.`
      })
    default:
      return 'Throughline: status, show, pin <text>, undo, doctor, off'
  }
}

async function attempt(work: () => Promise<string>): Promise<string> {
  try {
    return await work()
  } catch (error) {
    if (!ThroughlineError.isInstance(error)) throw error
    return error.message
  }
}

async function statusText(session: Session): Promise<string> {
  const { tokens } = session.measure()
  const { threshold } = session.budget()
  const log = await session.log()
  const compactions = log.filter(({ kind }) => kind === 'checkpoint' || kind === 'prune').length
  const messages = log.filter(({ kind }) => kind === 'message').length
  return [
    'Throughline is the context engine.',
    `The next request has about ${formatTokens(tokens)} tokens; at ${formatTokens(threshold)} it is compacted.`,
    `${messages} messages are kept, and ${compactions} compactions were made.`,
  ].join('\n')
}

/** OpenClaw's plugin, in one file. */
export default function throughline(api: OpenClawApi): void {
  extend(api)
}
