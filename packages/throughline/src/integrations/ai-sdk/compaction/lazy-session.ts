import { modelId } from '../model-id.ts'
import { openSession, type Session } from '../../../session/session.ts'
import { UnknownWindowError } from './unknown-window-error.ts'
import { windowOf } from '../../../tokens/windows.ts'
import type { LanguageModel } from 'ai'
import type { SessionOptions } from '../../../session/options.ts'
import type { Window } from '../../../tokens/window.ts'

/** A session that is open already, or what one is opened with. */
export type SessionChoice = { session: Session } | NewSession

/** What a session is opened with; the window by default what the table says of the model. */
export interface NewSession extends Omit<SessionOptions, 'window' | 'model'> {
  window?: Window
}

/** What requests are made of beside messages, as the SDK tells it with each of them. */
interface RequestParts {
  system: string | undefined
  tools: readonly { name: string }[] | undefined
}

/** A session that is opened when it is first needed. */
export interface LazySession {
  open: () => Promise<Session>
  /** Notes what requests are made of: it is measured, too. */
  note: (parts: Partial<RequestParts>) => void
}

/** @throws UnknownWindowError if no window is given and the table knows none. */
export function lazySession(model: LanguageModel, choice: SessionChoice): LazySession {
  if ('session' in choice) return { open: async () => choice.session, note: () => {} }
  const id = modelId(model)
  const window = choice.window ?? windowOf(id)
  if (!window) throw new UnknownWindowError({ model: id })
  let seen: RequestParts = { system: undefined, tools: undefined }
  const options = {
    ...choice,
    window,
    model: id,
    get system() {
      return choice.system ?? seen.system
    },
    get tools() {
      return choice.tools ?? seen.tools
    },
  } as SessionOptions
  let session: Promise<Session> | undefined
  return {
    open: () =>
      (session ??= openSession(options).catch((error: unknown) => {
        // Another time the store may answer.
        session = undefined
        throw error
      })),
    note: (parts) => {
      const tools = sameNames(parts.tools, seen.tools) ? seen.tools : parts.tools
      seen = { ...seen, ...parts, ...(parts.tools && { tools }) }
    },
  }
}

/** The same tools are told anew with each request: they are counted once. */
function sameNames(one: RequestParts['tools'], other: RequestParts['tools']): boolean {
  return namesOf(one) === namesOf(other)
}

function namesOf(tools: RequestParts['tools']): string | undefined {
  return tools?.map(({ name }) => name).join('\n')
}
