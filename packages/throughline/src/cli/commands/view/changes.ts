import { parseRef } from '../../../log/ref.ts'
import { countOf, fieldsOf, textOf as textIn } from '../../../json/fields.ts'
import { annotationDraft } from '../../../report/logged.ts'
import { CommandError } from '../../errors.ts'
import { findSession } from '../../store/find-session.ts'
import { inStore } from '../../store/open-store.ts'
import { openStored } from '../../store/session-work.ts'
import { textOf } from '../pin.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { Ref } from '../../../log/entry.ts'
import type { Io } from '../../io.ts'

/** What a reader may do to a stored session. Each of them is an entry: nothing is overwritten. */
export const changeNames = ['undo', 'pin', 'unpin', 'annotate'] as const
export type ChangeName = (typeof changeNames)[number]

/**
 * Does what a reader asked for.
 * @throws CommandError where the request names nothing, and errors of the session.
 */
export async function change(
  name: ChangeName,
  body: unknown,
  { session: id, configuration, io }: { session: string; configuration: Configuration; io: Io },
): Promise<void> {
  const fields = fieldsOf(body) ?? {}
  await inStore(configuration, io, async (store) => {
    const stored = await findSession(store, id, io)
    if (name === 'annotate') {
      const of = countOf(fields['of'])
      const text = textIn(fields['text'])?.trim() ?? ''
      if (of === undefined || of < 1 || of > stored.newest || !Number.isSafeInteger(of)) {
        throw new CommandError('there is no such entry to note something on.')
      }
      if (text === '') throw new CommandError('the note is empty. Write something.')
      await store.append(id, [annotationDraft(of, text, Date.now())])
      return
    }
    const session = await openStored(store, stored, configuration)
    if (name === 'undo') {
      await session.undo()
    } else if (name === 'pin') {
      const ref = textIn(fields['ref']) ?? ''
      if (!parseRef(ref)) throw new CommandError('there is no such entry to pin.')
      await session.pin(await textOf(session, ref as Ref), ref as Ref)
    } else {
      await session.unpin(countOf(fields['pin']) ?? 0)
    }
  })
}
