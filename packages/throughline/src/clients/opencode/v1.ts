import { beginCompaction, endCompaction, giveUpCompaction, isMarker } from './compaction.ts'
import { changeClientSettings, clientSettings, rivalAmong } from '../settings.ts'
import { doesNotShrink } from '../shrunk.ts'
import { draftsOf, opencodeForms, type OpencodeMessage } from './messages.ts'
import { failedTooOften, Failures, writeClientRecord, type ClientRecord } from '../record.ts'
import { fieldsOf, listOf, nameOf } from '../../json/fields.ts'
import { modelNamed, OpencodeSessions } from './sessions.ts'
import { ledgerOf } from '../../config/ledger-of.ts'
import { noteSummary } from '../note-summary.ts'
import { openClientStore } from '../client-store.ts'
import { commandUsage, doneLine, ownSession, runCommand } from '../command.ts'
import { answerError, versionOf, wholeSession, type OpencodeClient } from './client.ts'
import { agentTools } from '../agent-tools.ts'
import type { ClientSettings } from '../settings.ts'
import { compactionRecord, type ClientSession, type Done } from '../client-session.ts'

function toolsFor(sessions: OpencodeSessions, settings: () => ClientSettings) {
  const definitions = agentTools.map(({ name, description, reply }) => {
    const execute = async (input: unknown, { sessionID }: { sessionID: string }) => {
      const open = await sessions.known(sessionID)
      if (!open || settings().off) return 'Throughline is off here.'
      const said = await reply(open.at, input)
      return 'text' in said ? said.text : said.error
    }
    return [name, { description, args: {}, execute }] as const
  })
  return Object.fromEntries(definitions)
}

const client = 'opencode'
const knownVersions = /^1\./
const commandName = 'throughline'

export interface OpencodeInput {
  client: OpencodeClient
  directory: string
}

/**
 * Hooks for opencode 1: its requests carry our context, and its summaries are ours. Whatever fails
 * here, opencode goes on with its own messages.
 */
export async function openHooks({ client: api, directory }: OpencodeInput, env = process.env) {
  let version: string | undefined
  const settings = () => clientSettings(client, env)
  const { store, lost } = openClientStore(client, env)
  // opencode 1 takes them apart from the definitions.
  const schemas = new Map(agentTools.map(({ name, schema }) => [name, schema]))
  const sessions = new OpencodeSessions({
    api,
    directory,
    store,
    settings,
    told: (session, call) => record({ event: 'call', session, ...call }),
  })
  /** Why nothing is done in any session. */
  let aside: string | undefined
  let begun: Promise<void> | undefined
  const failures = new Failures()
  /** Sessions whose model has no known window, so that this is said once. */
  const without = new Set<string>()

  function record(entry: Omit<ClientRecord, 'at' | 'client'>): void {
    const known = version === undefined ? {} : { version }
    writeClientRecord({ at: Date.now(), client, ...known, ...entry }, env)
  }

  function stepAside(reason: string): void {
    aside = reason
    record({ event: 'step-aside', reason })
  }

  function noteDone(session: string, done: Done | undefined): void {
    if (done) record(compactionRecord(session, done))
  }

  /** A line for whoever sits in front of it; a server has nobody there. */
  async function told(at: ClientSession, done: Done): Promise<void> {
    const body = { message: await doneLine(at, done), variant: 'info' }
    void api.tui?.showToast?.({ body }).catch(() => {})
  }

  /** With the first request: when a plugin is loaded, the server does not answer yet. */
  function begin(): Promise<void> {
    begun ??= (async () => {
      version = await versionOf(api).catch(() => undefined)
      record({ event: 'start', ...(lost !== undefined && { reason: `nothing is kept: ${lost}` }) })
      if (aside !== undefined) stepAside(aside)
      if (version !== undefined && !knownVersions.test(version)) {
        stepAside(`opencode ${version} is not known`)
      }
      if (settings().off) record({ event: 'step-aside', reason: 'it is switched off' })
    })()
    return begun
  }

  /** opencode is never stopped by what happens here. */
  async function guarded(session: string, work: () => Promise<void>): Promise<void> {
    if (sessions.hidden.has(session)) return
    await begin()
    if (aside !== undefined || settings().off) return
    try {
      await work()
      failures.over()
    } catch (error) {
      const { reason, isLast } = failures.add(error)
      record({ event: 'error', session, reason })
      if (isLast) stepAside(failedTooOften(reason))
    }
  }

  async function transform(id: string, messages: OpencodeMessage[]): Promise<void> {
    const begun = (await sessions.known(id))?.compacting
    if (begun?.isToRead) {
      // opencode's own compaction: its model has got all that it is to read. These are old messages,
      // perhaps of a model that is gone.
      begun.isToRead = false
      messages.splice(0)
      return
    }
    const open = await sessions.open(id, messages)
    if (!open) return unknownWindow(id)
    if (open.aside !== undefined) return
    if (open.compacting) {
      const done = await giveUpCompaction(open)
      noteDone(id, done)
      if (done) await told(open.at, done)
    }
    const whole = messages.some(isMarker) ? await wholeWith(id, messages) : messages
    const drafts = draftsOf(id, whole, ledgerOf(env))
    await open.at.follow(drafts)
    if (!(await open.at.shrinks())) {
      open.aside = doesNotShrink
      return record({ event: 'step-aside', session: id, reason: open.aside })
    }
    const done = await open.at.gate()
    noteDone(id, done)
    if (done) await told(open.at, done)
    const shown = open.at.hosted.view(opencodeForms(whole, drafts))
    messages.splice(0, messages.length, ...shown)
  }

  function unknownWindow(session: string): void {
    if (without.has(session)) return
    without.add(session)
    record({ event: 'step-aside', session, reason: 'the window of its model is not known' })
  }

  /** While opencode compacts, what is refused is its request for a summary. */
  async function refused(id: string, error: unknown): Promise<void> {
    const open = await sessions.known(id)
    open?.compacting?.answer.fail(answerError(error))
    if (!open || open.aside !== undefined || open.compacting || open.isOwn) return
    await guarded(id, () => open.at.refused(fieldsOf(error)?.['data'] ?? error))
  }

  /** What opencode leaves out since it has compacted, and the newest as it gives them now. */
  async function wholeWith(
    id: string,
    messages: readonly OpencodeMessage[],
  ): Promise<OpencodeMessage[]> {
    const now = new Map(messages.map((message) => [message.info['id'], message]))
    return (await wholeSession(api, id)).flatMap((message) => {
      const { id: name, role } = message.info
      const given = now.get(name)
      // The answer that this request is for has been begun.
      return given ?? (role === 'assistant' && message.parts.length === 0 ? [] : message)
    })
  }

  const tool = toolsFor(sessions, settings)
  return {
    dispose: () => sessions.close(),
    async config(config: Record<string, unknown>): Promise<void> {
      const plugins = listOf(config['plugin']).flatMap(
        (name) => nameOf(listOf(name)[0] ?? name) ?? [],
      )
      const other = rivalAmong(plugins)
      // Said with the first request, behind the start.
      if (other !== undefined) {
        aside = `${other} is installed, too`
        // The agent is offered nothing that would not answer.
        for (const name of Object.keys(tool)) delete tool[name]
      }
      sessions.auto = fieldsOf(config['compaction'])?.['auto'] !== false
      const agents = fieldsOf(config['agent'])
      sessions.summaryModel = modelNamed(fieldsOf(agents?.['compaction'])?.['model'])
      const description = `Throughline: ${commandUsage}`
      const template = `/${commandName} $ARGUMENTS`
      const commands = fieldsOf(config['command'])
      config['command'] = { ...commands, [commandName]: { template, description } }
    },
    // opencode keeps no error in the message of a request that was too long.
    async event({ event }: { event: { type: string; properties?: unknown } }): Promise<void> {
      if (event.type !== 'session.error') return
      const { sessionID, error } = fieldsOf(event.properties) ?? {}
      const id = nameOf(sessionID)
      if (id !== undefined) await refused(id, error)
    },
    'experimental.chat.messages.transform': async (
      _: unknown,
      { messages }: { messages: OpencodeMessage[] },
    ): Promise<void> => {
      const id = messages.flatMap(({ info }) => nameOf(info['sessionID']) ?? [])[0]
      if (id === undefined) return
      const end = sessions.hidden.get(id)
      if (end && messages.some(({ parts }) => parts.some(({ type }) => type === 'tool'))) end()
      await guarded(id, () => transform(id, messages))
    },
    'experimental.chat.system.transform': async (
      { sessionID }: { sessionID?: string },
      { system }: { system: string[] },
    ): Promise<void> => {
      const open = await sessions.known(sessionID)
      open?.at.frame({ system: system.join('\n') })
    },
    'experimental.session.compacting': async (
      { sessionID }: { sessionID: string },
      output: { prompt?: string },
    ): Promise<void> =>
      guarded(sessionID, async () => {
        const whole = await wholeSession(api, sessionID)
        const open = await sessions.open(sessionID, whole)
        if (!open || open.aside !== undefined) return
        if (open.compacting) noteDone(sessionID, await giveUpCompaction(open))
        const asked = await beginCompaction(open, whole, ledgerOf(env))
        if (asked) output.prompt = asked.prompt
        else open.isOwn = true
      }),
    'experimental.text.complete': async (
      { sessionID, messageID }: { sessionID: string; messageID: string },
      output: { text: string },
    ): Promise<void> => {
      const open = await sessions.known(sessionID)
      if (open?.isOwn) {
        open.isOwn = false
        return record({ event: 'compaction', session: sessionID, by: 'client' })
      }
      if (!open?.compacting) return
      await guarded(sessionID, async () => {
        const ended = await endCompaction(open, { record: messageID, text: output.text })
        if (!ended) return
        const { text: summary, done } = ended
        await noteSummary(open.at, { summary, done }, { env, record })
        noteDone(sessionID, done)
        output.text = summary
        await told(open.at, done)
      })
    },
    'experimental.compaction.autocontinue': async (
      { sessionID }: { sessionID: string },
      output: { enabled: boolean },
    ): Promise<void> =>
      guarded(sessionID, async () => {
        const open = await sessions.known(sessionID)
        const { checkpoint, items } = open?.at.session.context() ?? {}
        // The work is done: a "continue" would begin it again. A request that waits ends the tail.
        const newest = items?.at(-1)
        const waits = newest?.type === 'message' && newest.message.role !== 'assistant'
        const isDone = checkpoint?.continuation === null && !waits
        if (open?.aside === undefined && isDone) output.enabled = false
      }),
    'tool.definition': async (
      { toolID }: { toolID: string },
      output: { description: string; jsonSchema?: unknown },
    ): Promise<void> => {
      const schema = schemas.get(toolID)
      if (schema) output.jsonSchema = schema
      const { description, jsonSchema } = output
      sessions.tools.set(toolID, { description, schema: jsonSchema ?? {} })
    },
    'command.execute.before': async (asked: {
      command: string
      sessionID: string
      arguments: string
    }): Promise<void> => {
      if (asked.command !== commandName) return
      const path = { id: asked.sessionID }
      const open = await sessions.known(asked.sessionID)
      const text = await runCommand(asked.arguments, {
        client,
        env,
        session: open && ownSession(open.at),
        isOff: settings().off,
        turn: (off) => changeClientSettings(client, env, { off }),
      })
      const parts = [{ type: 'text', text, ignored: true }]
      await api.session.prompt({ path, body: { noReply: true, parts } })
      await api.tui?.showToast?.({ body: { message: text, variant: 'info' } }).catch(() => {})
      // Nothing else ends a command without a request to the model.
      throw new Error(text)
    },
    tool,
  }
}
