import { askInHiddenSession, windowsOf, type ModelName, type OpencodeClient } from './client.ts'
import { ClientSession, type ClientFrame, type Done } from '../client-session.ts'
import { type AskClient, type ToldCall } from '../summary-calls.ts'
import { fieldsOf, nameOf } from '../../json/fields.ts'
import { recordsOf } from '../../hosts/hosted-session.ts'
import { writtenIn } from './written.ts'
import type { AskedThroughClient } from './summary-answer.ts'
import type { ClientSettings } from '../settings.ts'
import type { OpencodeMessage } from './messages.ts'
import type { Store } from '../../session/store.ts'
import type { Window } from '../../tokens/window.ts'

/** A compaction that opencode itself does, with our summary. */
interface Compacting {
  /** The next messages are those that opencode would have summarized. */
  isToRead: boolean
  answer: AskedThroughClient
  done: Promise<Done | undefined>
}

interface Opening {
  model: ModelName
  compacting?: Compacting | undefined
  /** opencode compacts with a summary of its own. */
  isOwn?: boolean
  /** Takes what becomes of a request for a summary. */
  told: (call: ToldCall) => void
  /** opencode's messages that hold summaries of ours. */
  written: Set<string>
  /** Why opencode compacts this session by itself. */
  aside?: string
  /** Asks the session's model in a hidden session. */
  ask: AskClient
}

/** A session of opencode in which a request was made since it was started. */
export type OpenedSession = Opening & { at: ClientSession }

export interface SessionsOptions {
  api: OpencodeClient
  directory: string
  store: Store
  settings: () => ClientSettings
  told: (session: string, call: ToldCall) => void
}

export class OpencodeSessions {
  readonly #options: SessionsOptions
  readonly #opened = new Map<string, Promise<OpenedSession>>()
  #windows: Promise<Map<string, Window>> | undefined
  /** Sessions of our own, in which a model is asked; each with what ends it. */
  readonly hidden = new Map<string, () => void>()
  /** The tools of the next request, by name. */
  readonly tools = new Map<string, unknown>()
  /** As the user's configuration says. */
  auto = true
  summaryModel: ModelName | undefined

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  /** The session, if a request was made in it. */
  async known(id: string | undefined): Promise<OpenedSession | undefined> {
    return id === undefined ? undefined : this.#opened.get(id)?.catch(() => undefined)
  }

  /** The session to which messages belong; `undefined` if its model's window is not known. */
  async open(id: string, messages: readonly OpencodeMessage[]): Promise<OpenedSession | undefined> {
    const model = modelIn(messages)
    this.#windows ??= windowsOf(this.#options.api)
    const window = model && (await this.#windows).get(`${model.providerID}/${model.modelID}`)
    if (!model || !window) return undefined
    let opened = this.#opened.get(id)
    if (!opened) {
      opened = this.#begin(id, model, window)
      this.#opened.set(id, opened)
      opened.catch(() => this.#opened.delete(id))
    }
    const session = await opened
    session.model = model
    session.at.frame({ model: model.modelID, window, tools: Object.fromEntries(this.tools) })
    return session
  }

  /** Ends what is done in the background: hidden sessions would stay behind. */
  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#opened.values())
    await Promise.allSettled(
      opened.map((each) =>
        each.status === 'fulfilled' ? each.value.at.session.close() : undefined,
      ),
    )
  }

  async #begin(id: string, model: ModelName, window: Window): Promise<OpenedSession> {
    const { api, directory, store, settings } = this.#options
    const { local, patience } = settings()
    const frame: ClientFrame = { model: model.modelID, window }
    const written = await writtenIn(store, id)
    const ask = askInHiddenSession(
      api,
      { parent: id, model: () => this.summaryModel ?? opening.model },
      this.hidden,
    )
    const told = (call: ToldCall): void => this.#options.told(id, call)
    const opening: Opening = { model, written, ask, told }
    const at = ClientSession.open({
      store,
      id,
      frame,
      directories: [directory],
      patience,
      told,
      auto: this.auto,
      reserved: reservedByOpencode,
      notAhead: true,
      isOurs: (draft) =>
        draft.kind === 'checkpoint' && recordsOf(draft).some((record) => written.has(record)),
      ...(!local && {
        ask: (question) => (opening.compacting?.answer.ask ?? ask)(question),
      }),
    })
    return Object.assign(opening, { at })
  }
}

// What opencode 1.18 keeps free: an answer, at most so much; of a limit for requests alone, less.
const longestAnswer = 32_000
const besideInput = 20_000

/** What opencode leaves free of a window before it compacts. */
export function reservedByOpencode({ input, output = 0 }: Window): number {
  const answer = Math.min(output, longestAnswer) || longestAnswer
  return input === undefined ? answer : Math.min(besideInput, answer)
}

function modelIn(messages: readonly OpencodeMessage[]): ModelName | undefined {
  const info = messages.findLast((message) => message.info['role'] === 'user')?.info
  const model = fieldsOf(info?.['model'])
  const [providerID, modelID] = [nameOf(model?.['providerID']), nameOf(model?.['modelID'])]
  return providerID && modelID ? { providerID, modelID } : undefined
}

/** A model as a configuration names it: `provider/model`. */
export function modelNamed(value: unknown): ModelName | undefined {
  const [providerID, ...rest] = nameOf(value)?.split('/') ?? []
  return providerID && rest.length > 0 ? { providerID, modelID: rest.join('/') } : undefined
}
