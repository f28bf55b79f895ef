import { agentToolsFor } from '../agent-tools.ts'
import { changeClientSettings, clientSettings } from '../settings.ts'
import { commandUsage, ownSession, runCommand, type OwnSession } from '../command.ts'
import { counted } from '../compacted-line.ts'
import { engineId, slotOf } from './engine.ts'
import { compactByHost, hostHistory, memoryPrompt } from './host-sdk.ts'
import { openClientStore } from '../client-store.ts'
import { writeClientRecord, type ClientRecord } from '../record.ts'
import type { OpenClawApi } from './api.ts'

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

  const tools = agentToolsFor({ fold: false })
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
