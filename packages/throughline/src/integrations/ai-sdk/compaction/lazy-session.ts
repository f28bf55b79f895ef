import { compactingProvider } from './compacting-provider.ts'
import { modelId } from '../provider-options.ts'
import { openSession, type Session } from '../../../session/session.ts'
import { windowOf } from '../../../tokens/windows.ts'
import { UnknownWindowError } from '../../conversation/unknown-window.ts'
import type { LanguageModel } from 'ai'
import type { SessionOptions } from '../../../session/options.ts'
import type { Window } from '../../../tokens/window.ts'

/** An open session, or the options for opening one. */
export type SessionChoice = { session: Session } | NewSession

/** Options for opening a session; the window defaults to the table's value for the model. */
interface NewSession extends Omit<SessionOptions, 'window' | 'model'> {
  window?: Window
}

/** What requests contain besides messages, as the SDK passes it with each of them. */
interface RequestParts {
  system: string | undefined
  tools: readonly { name: string }[] | undefined
}

/** A session that is opened when first needed. */
export interface LazySession {
  open: () => Promise<Session>
  /** Records what requests contain besides messages, because it is measured, too. */
  note: (parts: Partial<RequestParts>) => void
}

/** @throws UnknownWindowError if no window is given and the table doesn't know the model. */
export function lazySession(model: LanguageModel, choice: SessionChoice): LazySession {
  if ('session' in choice) return { open: async () => choice.session, note: () => {} }
  const id = modelId(model)
  const window = choice.window ?? windowOf(id)
  if (!window) throw new UnknownWindowError({ model: id })
  let seen: RequestParts = { system: undefined, tools: undefined }
  const provider = choice.provider ?? choice.compactor?.provider ?? compactingProvider(model)
  const options = {
    ...choice,
    window,
    model: id,
    ...(provider !== undefined && { provider }),
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
        // The store may answer the next time.
        session = undefined
        throw error
      })),
    note: (parts) => {
      const tools = sameNames(parts.tools, seen.tools) ? seen.tools : parts.tools
      seen = { ...seen, ...parts, ...(parts.tools && { tools }) }
    },
  }
}

/** The same tools are passed again with each request; they are counted once. */
function sameNames(one: RequestParts['tools'], other: RequestParts['tools']): boolean {
  return namesOf(one) === namesOf(other)
}

function namesOf(tools: RequestParts['tools']): string | undefined {
  return tools?.map(({ name }) => name).join('\n')
}
