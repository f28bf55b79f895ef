import { describe, expect, it } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { unitsOf } from '../../log/steps.ts'
import { assistant, call, harness, human, logFrom, step } from '../../testing/generate/build.ts'
import { continueTask } from './continuation.ts'
import type { Drafts } from '../../testing/generate/build.ts'

const after = (...drafts: Drafts[]) => continueTask(unitsOf(contextOf(logFrom(drafts)).items))

describe('what makes the agent go on (T11)', () => {
  it('is nothing where nothing waits', () => {
    expect(after()).toBeNull()
    expect(after(human('go'), assistant('Done.'))).toBeNull()
  })

  it('is the result of a call that waits', () => {
    expect(after(human('go'), assistant([call('a', 'Read')]))).toBeNull()
  })

  it('is a request or a reminder that nobody has answered', () => {
    expect(after(assistant('Done.'), human('go'))).toBeNull()
    expect(after(human('go'), step('a', 'Read', {}, 'x'), harness('remember'))).toBeNull()
  })

  it('is `continue` in the middle of a task', () => {
    const told = {
      kind: 'mid-task',
      message: { role: 'user', content: 'continue' },
      metadata: { compaction_continue: true },
    }
    expect(after(human('go'), step('a', 'Read', {}, 'x'))).toEqual(told)
    expect(after(human('go'), assistant('And th', { finish: 'length' }))).toEqual(told)
    const pinned = { kind: 'pin', at: 0, text: 'Be brief.' } as const
    expect(after(human('go'), step('a', 'Read', {}, 'x'), pinned)).toEqual(told)
  })

  it('is the text of an unanswered request with media', () => {
    const image = { type: 'image', image: 'aaaa', mediaType: 'image/png' } as const
    expect(after(human([{ type: 'text', text: 'Look.' }, image]))).toEqual({
      kind: 'media',
      message: {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'text', text: '[Attached image/png] [… left out here; the whole is ref 1.1 …]' },
        ],
      },
      metadata: { compaction_continue: true, had_media: true },
      of: 1,
      replacements: [
        {
          how: 'described',
          ref: '1.1',
          text: '[Attached image/png] [… left out here; the whole is ref 1.1 …]',
        },
      ],
    })
  })
})
