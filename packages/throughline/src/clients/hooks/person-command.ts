import { fieldsOf, nameOf, textOf } from '../../json/fields.ts'
import { clientSession } from './client-session.ts'
import { changeClientSettings, clientSettings } from '../settings.ts'
import { formatTokens } from '../../tokens/windows.ts'
import { ledgerOf } from '../../config/ledger-of.ts'
import { memoryStore } from '../../stores/memory.ts'
import { NothingToUndoError } from '../../session/errors.ts'
import { noteAsked } from '../asked.ts'
import { recordedSession } from '../recorded-session.ts'
import { runCommand, type CommandSession } from '../command.ts'

/** What a person typed behind `/throughline`, and where. */
interface PersonCommand {
  client: string
  words: string
  session: string | undefined
  /** The client's record of the session. */
  file: string
  directory: string | undefined
}

interface CommandWorld {
  env: Readonly<Record<string, string | undefined>>
  now: () => number
}

/**
 * What a hook prints for a command that a person typed: nothing goes to the model, and the client
 * shows the answer in its place. What changes a context is done at the next compaction. `''` where
 * the hook is called for something else.
 */
export async function personAnswer(
  client: string,
  input: string,
  world: CommandWorld,
): Promise<string> {
  const said = typedIn(input, client)
  if (!said) return ''
  const { env } = world
  const place = {
    client,
    env,
    isOff: clientSettings(client, env).off,
    turn: (off: boolean) => changeClientSettings(client, env, { off }),
  }
  const session = await sessionOf(said, world)
  const reason = await runCommand(said.words, { ...place, session }).catch(String)
  return JSON.stringify({ decision: 'block', reason })
}

function typedIn(text: string, client: string): PersonCommand | undefined {
  const fields = fieldsOf(JSON.parse(text))
  if (fields?.['hook_event_name'] !== 'UserPromptExpansion') return undefined
  if (nameOf(fields['command_name']) !== 'throughline') return undefined
  return {
    client,
    words: textOf(fields['command_args']) ?? '',
    session: nameOf(fields['session_id']),
    file: nameOf(fields['transcript_path']) ?? '',
    directory: nameOf(fields['cwd']),
  }
}

/** `undefined` where the client has written nothing yet. */
async function sessionOf(
  { client, session: own, file, directory }: PersonCommand,
  { env, now }: CommandWorld,
): Promise<CommandSession | undefined> {
  if (own === undefined) return undefined
  const read = await clientSession(file, ledgerOf(env)).catch(() => undefined)
  if (!read || read.log.length === 0) return undefined
  const store = memoryStore()
  await store.append(own, read.log)
  const session = await recordedSession({ store, session: own }, client, env)
  const { tokens } = session.measure()
  const note = (line: { pin: string; by: 'human' } | { unpin: string } | { compact: object }) =>
    noteAsked(client, env, { at: now(), session: own, ...line })
  const place = read.facts.directory ?? directory
  return {
    session,
    store,
    directories: place === undefined ? [] : [place],
    size: `The session has about ${formatTokens(tokens)} tokens without the system prompt and the tools.`,
    compact(focus) {
      if (focus !== '') note({ compact: { focus } })
      const later = focus === '' ? '' : ` Until then it is noted: ${focus}`
      return (
        `Type /compact ${focus}`.trimEnd() + ` to compact now: only the client itself can.${later}`
      )
    },
    async pin(text) {
      await session.pin(text)
      note({ pin: text, by: 'human' })
    },
    async unpin({ text }) {
      note({ unpin: text })
    },
    async undo() {
      if (!session.context().checkpoint) throw new NothingToUndoError({ session: own })
      return `The client holds its context itself, so a compaction cannot be taken back in it. Nothing of it is lost: /throughline recall WORDS reads it. To go on from before the compaction, in a new session:
  throughline import ${file}
  throughline undo ${own}
  throughline resume ${own}`
    },
  }
}
