import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { APICallError, generateText, type LanguageModel } from 'ai'
import { changeClientSettings } from '../../clients/settings.ts'
import { claudeSession } from '../../cli/testing/claude-session.ts'
import { compactedByModule } from '../../cli/testing/claude-engine.ts'
import { extend } from '../../clients/pi/plugin.ts'
import { extend as extendOpenClaw } from '../../clients/openclaw/plugin.ts'
import { fieldsOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import { openHooks } from '../../clients/opencode/v1.ts'
import { readClientRecords, type ClientRecord } from '../../clients/record.ts'
import { lines } from '../../testing/generate/agent.ts'
import { badWords } from './summary-faults.ts'
import { rule } from './task.ts'
import type { OpenClawEngine } from '../../clients/openclaw/api.ts'
import type { OpencodeMessage } from '../../clients/opencode/messages.ts'
import type { PiApi, PiEntry } from '../../clients/pi/api.ts'

/** What a client has of a model: it asks it over HTTP, and takes what comes. */
interface ClientWorld {
  /** A folder of its own. */
  root: string
  model: LanguageModel
  /** How long the plugin waits for the model, in milliseconds, where it is silent. */
  patience: number | undefined
}

/** What a compaction in a client came to. */
export interface ClientEnd {
  /** What the model goes on from. */
  context: string
  by: ClientRecord['by'] | undefined
  /** What was kept of it, and what the person saw. */
  told: string
  /** Whether a line says why no model wrote the summary. */
  isReasonTold: boolean
}

export type ClientHost = (world: ClientWorld) => Promise<ClientEnd>

interface Said {
  text: string
  finish: string
  calls: number
}

/** One request of a client: it has its own patience, and does not try again. */
async function asked(
  { model }: ClientWorld,
  { system, prompt, signal }: { system?: string; prompt: string; signal?: AbortSignal | undefined },
): Promise<Said> {
  const { text, finishReason, toolCalls } = await generateText({
    model,
    maxRetries: 0,
    ...(system !== undefined && { system }),
    prompt,
    ...(signal && { abortSignal: signal }),
  })
  return { text, finish: finishReason, calls: toolCalls.length }
}

const words = (what: string): string => lines(what, 1_500)
const request = `Read everything. ${rule}`

function opencodeSession(): OpencodeMessage[] {
  const user = {
    id: 'u',
    role: 'user',
    sessionID: 'ses_1',
    model: { providerID: 'p', modelID: 'm' },
  }
  const steps = Array.from({ length: 14 }, (_, at): OpencodeMessage => {
    const id = `a${at}`
    const info = { id, role: 'assistant', sessionID: 'ses_1', modelID: 'm', finish: 'tool-calls' }
    const state = { status: 'completed', input: { filePath: id }, output: words(`output ${at}`) }
    return {
      info,
      parts: [
        { type: 'text', text: `I read ${id}. ${words(`note ${at}`)}` },
        { type: 'tool', tool: 'read', callID: `call_${id}`, state },
      ],
    }
  })
  return [{ info: user, parts: [{ type: 'text', text: request }] }, ...steps]
}

/** As opencode keeps what a provider did instead of an answer. */
function opencodeError(error: unknown): unknown {
  const message = error instanceof Error ? error.message : String(error)
  if (!APICallError.isInstance(error)) return { name: 'UnknownError', data: { message } }
  const { statusCode, isRetryable, responseBody } = error
  return { name: 'APIError', data: { message, statusCode, isRetryable, responseBody } }
}

async function openedOpencode(world: ClientWorld) {
  const env = { XDG_DATA_HOME: mkdtempSync(join(world.root, 'opencode-')) }
  if (world.patience !== undefined) {
    changeClientSettings('opencode', env, { patience: world.patience })
  }
  const messages = opencodeSession()
  const shown: string[] = []
  const limit = { context: 40_000, output: 13_000 }
  const api = {
    config: {
      providers: async () => ({
        data: { providers: [{ id: 'p', models: { m: { id: 'm', limit } } }] },
      }),
    },
    session: {
      create: async () => ({ data: { id: 'ses_child' } }),
      delete: async () => ({}),
      abort: async () => ({}),
      messages: async () => ({ data: structuredClone(messages) }),
      prompt: async (call: { body?: object; signal?: AbortSignal }) => {
        const body = fieldsOf(call.body) ?? {}
        const [part] = body['parts'] as { text: string }[]
        const question = { system: textOf(body['system']) ?? '', prompt: part?.text ?? '' }
        for (;;) {
          const answer = await asked(world, { ...question, signal: call.signal }).catch(
            (error: unknown) => ({ error: opencodeError(error) }),
          )
          if ('error' in answer) return { data: { info: { error: answer.error } } }
          const { text, finish, calls } = answer
          if (calls === 0) return { data: { info: { finish }, parts: [{ type: 'text', text }] } }
          // It says that there is no such tool, and asks again.
          const info = { id: 'c', role: 'assistant', sessionID: 'ses_child' }
          const messages = [{ info, parts: [{ type: 'tool' }] }]
          await hooks['experimental.chat.messages.transform']({}, { messages })
          call.signal?.throwIfAborted()
        }
      },
    },
    tui: {
      showToast: async ({ body }: { body?: object }) => ({
        data: shown.push(JSON.stringify(body)),
      }),
    },
    _client: { get: async () => ({ data: { version: '1.18.33' } }) },
  }
  const hooks = await openHooks({ client: api as never, directory: '/work' }, env as never)
  async function end(): Promise<ClientEnd> {
    const output = { messages: messages.filter(({ parts }) => parts[0]?.['type'] !== 'compaction') }
    await hooks['experimental.chat.messages.transform']({}, output)
    await hooks.dispose()
    const records = readClientRecords('opencode', env)
    const done = records.findLast(({ event }) => event === 'compaction')
    return {
      context: JSON.stringify(output.messages),
      by: done?.by,
      told: JSON.stringify([records, shown]),
      isReasonTold: done?.reason !== undefined && shown.some((line) => line.includes('Code wrote')),
    }
  }
  return { hooks, messages, end }
}

const opencodeBefore: ClientHost = async (world) => (await openedOpencode(world)).end()

/** opencode compacts: our question goes out with its own request. */
const opencodeItself: ClientHost = async (world) => {
  const { hooks, messages, end } = await openedOpencode(world)
  const early = { messages: messages.slice(0, 4) }
  await hooks['experimental.chat.messages.transform']({}, early)
  const marker = { type: 'compaction', auto: false }
  messages.push({ info: { ...messages[0]?.info, id: 'm' }, parts: [marker] })
  const output: { prompt?: string } = {}
  await hooks['experimental.session.compacting']({ sessionID: 'ses_1' }, output)
  // What its model is to read passes by.
  await hooks['experimental.chat.messages.transform']({}, { messages: [...messages] })
  // It gives up a silent model, as the person would by then.
  const signal = world.patience === undefined ? undefined : AbortSignal.timeout(world.patience)
  try {
    const { text } = await asked(world, { prompt: output.prompt ?? 'Summarize.', signal })
    if (text !== '') {
      await hooks['experimental.text.complete']({ sessionID: 'ses_1', messageID: 's' }, { text })
    }
  } catch (error) {
    const properties = { sessionID: 'ses_1', error: opencodeError(error) }
    await hooks.event({ event: { type: 'session.error', properties } })
  }
  return end()
}

const pi: ClientHost = async (world) => {
  const env = { XDG_DATA_HOME: mkdtempSync(join(world.root, 'pi-')) }
  if (world.patience !== undefined) changeClientSettings('pi', env, { patience: world.patience })
  const entries: PiEntry[] = []
  const add = (message: object): void => {
    const id = `e${entries.length}`
    const parentId = entries.at(-1)?.['id'] ?? null
    entries.push({ id, parentId, timestamp: new Date(0).toISOString(), type: 'message', message })
  }
  const text = (said: string) => [{ type: 'text', text: said }]
  add({ role: 'user', content: text(request), timestamp: 0 })
  for (let step = 0; step < 12; step++) {
    const call = { type: 'toolCall', id: `c${step}`, name: 'read', arguments: { path: `${step}` } }
    const content = [...text(words(`note ${step}`)), call]
    add({ role: 'assistant', content, timestamp: 0, stopReason: 'toolUse' })
    const result = { toolCallId: `c${step}`, toolName: 'read', isError: false }
    add({ role: 'toolResult', content: text(`part ${step}`), timestamp: 0, ...result })
  }
  const handlers = new Map<string, (event: unknown, context: unknown) => Promise<unknown>>()
  const none = (): void => {}
  const on = (event: string, handler: never) => handlers.set(event, handler)
  const api = { on, registerTool: none, registerCommand: none, sendMessage: none }
  extend(api as unknown as PiApi, env as never)
  const shown: string[] = []
  const context = {
    cwd: '/work',
    model: { id: 'm', contextWindow: 40_000, maxTokens: 4_000 },
    sessionManager: { getSessionId: () => 'pi-1', getBranch: () => entries },
    modelRegistry: {
      complete: async (
        _: unknown,
        {
          systemPrompt,
          messages,
        }: { systemPrompt: string; messages: { content: { text: string }[] }[] },
        { signal }: { signal?: AbortSignal },
      ) =>
        asked(world, {
          system: systemPrompt,
          prompt: messages[0]?.content[0]?.text ?? '',
          signal,
        }).then(
          (said) => ({
            stopReason: said.calls > 0 ? 'toolUse' : said.finish,
            content: text(said.text),
          }),
          (error: unknown) => ({ stopReason: 'error', errorMessage: piError(error) }),
        ),
    },
    ui: { notify: (line: string) => void shown.push(line) },
    getSystemPrompt: () => 'You are pi.',
  }
  const preparation = { firstKeptEntryId: 'e0', tokensBefore: 30_000 }
  const event = { preparation, branchEntries: entries, reason: 'threshold' }
  const answer = fieldsOf(await handlers.get('session_before_compact')?.(event, context))
  await handlers.get('session_compact')?.({ fromExtension: answer !== undefined }, context)
  // The line comes once pi has drawn its screen anew.
  if (answer) for (let at = 0; shown.length === 0 && at < 200; at++) await sleep(50)
  await handlers.get('session_shutdown')?.({}, context)
  const records = readClientRecords('pi', env)
  const done = records.findLast((record) => record.event === 'compaction')
  return {
    context: textOf(fieldsOf(answer?.['compaction'])?.['summary']) ?? '',
    by: done?.by,
    told: JSON.stringify([records, shown]),
    isReasonTold: done?.reason !== undefined && shown.some((line) => line.includes('Code wrote')),
  }
}

/** As the packages of providers say it, whose words pi keeps. */
function piError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return APICallError.isInstance(error) && error.statusCode !== undefined
    ? `${error.statusCode} ${error.responseBody ?? message}`
    : message
}

const openclaw: ClientHost = async (world) => {
  const folder = mkdtempSync(join(world.root, 'openclaw-'))
  const env = { XDG_DATA_HOME: folder, HOME: folder }
  const { patience } = world
  if (patience !== undefined) changeClientSettings('openclaw', env, { patience })
  const engines: (() => OpenClawEngine)[] = []
  extendOpenClaw({ registerContextEngine: (_, make) => engines.push(make) }, env)
  const complete = async ({ systemPrompt, messages, signal }: Fields) => {
    const [message] = messages as { content: string }[]
    const question = { system: textOf(systemPrompt) ?? '', prompt: message?.content ?? '' }
    // It gives what had come when its provider failed, and no word of why.
    const failed = { text: badWords, stopReason: 'error' }
    return asked(world, { ...question, signal: signal as AbortSignal | undefined }).then(
      ({ text, finish, calls }) =>
        finish === 'content-filter' ? failed : { text, stopReason: calls > 0 ? 'toolUse' : finish },
      () => failed,
    )
  }
  const steps = Array.from({ length: 12 }, (_, step) => {
    const call = { type: 'toolCall', id: `c${step}`, name: 'read', arguments: { path: `${step}` } }
    const content = [{ type: 'text', text: words(`note ${step}`) }, call]
    const result = { toolCallId: `c${step}`, toolName: 'read', content: `part ${step}` }
    return [
      { role: 'assistant', content, timestamp: step, stopReason: 'toolUse' },
      { role: 'toolResult', ...result, isError: false, timestamp: step },
    ]
  })
  const messages = [{ role: 'user', content: request, timestamp: 0 }, ...steps.flat()]
  const runtimeContext = { llm: { complete } }
  const call = { sessionId: 's', messages, tokenBudget: 20_000, runtimeContext }
  const view = await engines[0]?.().assemble(call)
  const records = readClientRecords('openclaw', env)
  const done = records.findLast(({ event }) => event === 'compaction')
  return {
    context: JSON.stringify(view?.messages),
    by: done?.by,
    told: JSON.stringify(records),
    isReasonTold: done?.reason !== undefined,
  }
}

let claudes = 0

const claudeCode: ClientHost = async (world) => {
  const home = join(world.root, `claude-${claudes++}`)
  const folder = join(home, '.claude/projects/-w')
  mkdirSync(folder, { recursive: true })
  const session = claudeSession({ turns: 12, steps: 6 })
  writeFileSync(join(folder, 's.jsonl'), session)
  const messages = session
    .trimEnd()
    .split('\n')
    .flatMap((line) => nameOf(fieldsOf(JSON.parse(line))?.['uuid']) ?? [])
    .map((handle) => ({ role: 'user', text: '', toolUses: [], handle }))
  const next = async ({ instructions = '' }: { instructions?: string }) => {
    const { text } = await asked(world, { prompt: instructions })
    return { messages: [{ role: 'user', text: `Summary:\n${text}`, toolUses: [] }] }
  }
  const { patience } = world
  const env = { HOME: home, USERPROFILE: home, XDG_DATA_HOME: home }
  if (patience !== undefined) changeClientSettings('claude-code', env, { patience })
  const sleep = (ms: number) =>
    new Promise((resolve) => ms === patience && setTimeout(resolve, patience))
  const result = await compactedByModule({ messages }, next, { env, sleep })
  // The program that it starts gives a module no line to show: it writes one.
  const records = readClientRecords('claude-code', env)
  return {
    context: JSON.stringify(fieldsOf(result)?.['messages'] ?? []),
    by: records.findLast(({ event }) => event === 'compaction')?.by,
    told: JSON.stringify(records),
    isReasonTold: true,
  }
}

/** The clients whose models our plugins depend on. */
export const clientHosts = {
  'opencode, before a request': opencodeBefore,
  'opencode, as it compacts': opencodeItself,
  pi,
  'Claude Code': claudeCode,
  OpenClaw: openclaw,
} as const satisfies Record<string, ClientHost>
