import { agentTools } from '../agent-tools.ts'
import { changeClientSettings, clientSettings } from '../settings.ts'
import { commandUsage, ownSession, runCommand, type OwnSession } from '../command.ts'
import { counted } from '../compacted-line.ts'
import { engineId, slotOf } from './engine.ts'
import { openClientStore } from '../client-store.ts'
import { writeClientRecord, type ClientRecord } from '../record.ts'
import type { OpenClawApi, AssembleCall, CompactAnswer, CompactCall, OpenClawCall } from './api.ts'
import { countOf, fieldsOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'

const client = 'openclaw'

/** Throughline as OpenClaw's context engine: the slot, tools and a command. */
export function extend(api: OpenClawApi, env = process.env): void {
  const settings = () => clientSettings(client, env)
  const { store, lost } = openClientStore(client, env)
  const record = (entry: Omit<ClientRecord, 'at' | 'client'>): void =>
    void writeClientRecord({ at: Date.now(), client, ...entry }, env)
  const memory = memoryPrompt()
  const host = { memory, history: hostHistory, byHost: compactByHost }
  const { engine, own } = slotOf({ store, settings, record, ...host })
  let started = false
  api.registerContextEngine(engineId, () => {
    // The host makes an engine for each of its turns.
    if (!started) {
      record({ event: 'start', ...(lost !== undefined && { reason: `nothing is kept: ${lost}` }) })
    }
    started = true
    return engine()
  })

  const tools = agentTools
  const nameOf = (name: string): string => `throughline_${name}`
  api.registerTool?.(
    ({ sessionId }) =>
      sessionId === undefined || settings().off
        ? null
        : tools.map(({ name, description, schema, reply }) => ({
            name: nameOf(name),
            label: nameOf(name),
            description,
            parameters: schema,
            async execute(_, input) {
              const said = await reply(await own(sessionId), input)
              return { content: [{ type: 'text', text: 'text' in said ? said.text : said.error }] }
            },
          })),
    { names: tools.map(({ name }) => nameOf(name)) },
  )

  api.registerCommand?.({
    name: 'throughline',
    description: `${commandUsage}, doctor`,
    acceptsArgs: true,
    requireAuth: true,
    async handler({ sessionId, args = '' }) {
      const at = sessionId === undefined ? undefined : await own(sessionId)
      await at?.session.sync()
      const isDoctor = args.trim() === 'doctor'
      const text = await runCommand(isDoctor ? 'status' : args, {
        client,
        env,
        session: at && ownSession(at),
        isOff: settings().off,
        turn: (off) => changeClientSettings(client, env, { off }),
      })
      return { text: isDoctor ? [text, ...(await health(at, lost))].join('\n') : text }
    },
  })
}

/** Whether the host calls the engine in this session, and whether anything is kept of it. */
async function health(at: OwnSession | undefined, lost: string | undefined): Promise<string[]> {
  const log = (await at?.session.log()) ?? []
  const told = log.filter(({ kind }) => kind === 'message').length
  return [
    lost === undefined ? 'The store can be written.' : `Nothing is kept: ${lost}`,
    `OpenClaw has told ${told > 0 ? counted(told, 'message') : 'nothing'} of this session.`,
    'Command-line back ends, such as claude-cli, send and compact their own context.',
  ]
}

/** OpenClaw's plugin. */
export default function throughline(api: OpenClawApi): void {
  extend(api)
}

// The host resolves them for its plugins; elsewhere there is no such package.
const core = 'openclaw/plugin-sdk/core'
const transcripts = 'openclaw/plugin-sdk/session-transcript-runtime'

/**
 * What the memory plugins of the host have to say in the system prompt. The host leaves that to the
 * engine in its slot.
 */
function memoryPrompt(): (call: AssembleCall) => string | undefined {
  let build: ((call: object) => unknown) | undefined
  import(/* @vite-ignore */ core).then(
    (loaded: unknown) => {
      const found = fieldsOf(loaded)?.['buildMemorySystemPromptAddition']
      if (typeof found === 'function') build = found as typeof build
    },
    () => undefined,
  )
  return ({ availableTools = new Set(), citationsMode, sessionKey }) =>
    textOf(build?.({ availableTools, citationsMode, agentSessionKey: sessionKey }))
}

/** Has the host compact by itself what it sends without asking us: its own transcript. */
async function compactByHost(call: CompactCall): Promise<CompactAnswer> {
  const loaded: unknown = await import(/* @vite-ignore */ core)
  const compact = fieldsOf(loaded)?.['delegateCompactionToRuntime']
  if (typeof compact !== 'function') throw new Error('OpenClaw has no compaction of its own')
  return (compact as (call: CompactCall) => Promise<CompactAnswer>)(call)
}

type ReadPage = (request: object) => Promise<unknown>

/** All that a session holds before the turn that begins, also what the host does not show any more. */
async function hostHistory({
  sessionId,
  sessionKey,
  sessionTarget,
}: OpenClawCall): Promise<Fields[]> {
  const loaded: unknown = await import(/* @vite-ignore */ transcripts)
  const read = fieldsOf(loaded)?.['readSessionTranscriptVisibleMessageDelta']
  if (typeof read !== 'function') return []
  return historyBy(read as ReadPage, { ...sessionTarget, sessionKey, sessionId })
}

const page = { maxMessages: 1_000, maxBytes: 8_000_000 }
// The host begins anew where its transcript was replaced in the meantime.
const attempts = 3

/**
 * Reads page after page by the host's cursor.
 * @throws if the host cannot read its transcript now.
 */
export async function historyBy(read: ReadPage, target: object): Promise<Fields[]> {
  let messages: Fields[] = []
  let asked: object = { ...target, ...page }
  for (let resets = 0; resets < attempts;) {
    const { kind, reason, cursor, entries, hasMore, requiredBytes } =
      fieldsOf(await read(asked)) ?? {}
    if (kind === 'missing') return []
    if (kind === 'reset') {
      resets += 1
      messages = []
    } else if (kind !== 'page') {
      throw new Error(`OpenClaw does not give its history: ${textOf(reason) ?? 'no reason'}`)
    }
    for (const { message } of objectsOf(entries)) messages.push(fieldsOf(message) ?? {})
    if (kind === 'page' && hasMore !== true) return messages
    const maxBytes = countOf(requiredBytes)
    asked = { ...asked, cursor, ...(maxBytes !== undefined && { maxBytes }) }
  }
  throw new Error('OpenClaw does not give its history: it is being replaced')
}
