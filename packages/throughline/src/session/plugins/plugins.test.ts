import { describe, expect, it, vi } from 'vitest'
import { defaultPolicy } from '../../compaction/policy.ts'
import { CompactionVetoedError } from '../../compaction/errors.ts'
import { historyOf } from '../../log/history.ts'
import { messageText } from '../../log/message.ts'
import { memoryStore } from '../../stores/memory.ts'
import { agent } from '../../testing/generate/agent.ts'
import { assistant, human, step } from '../../testing/generate/build.ts'
import { goodSummary, scriptedSummarizer } from '../../testing/scripted/scripted-summarizer.ts'
import { compactLog } from '../once/compact-log.ts'
import { openSession, type Session, type SessionOptions } from '../session.ts'
import { definePlugin } from './define-plugin.ts'
import { PluginError } from './errors.ts'
import type { EntryDraft } from '../../log/entry.ts'
import type { SessionEvent } from '../events.ts'
import type { Plugin } from './plugin.ts'
import {
  advanceCircuitBreaker,
  closedCircuitBreaker,
} from '../../compaction/summary/with-model/circuit-breaker.ts'

const text = 'const value = 1\n'

/** A request with so many steps behind it; seq 1 is the request, then two entries a step. */
function work(steps: number, size = 300): EntryDraft[] {
  return [
    human('Mend the parser.'),
    ...Array.from({ length: steps }, (_, n) =>
      step(`c${n}`, 'Read', { file_path: `src/f${n}.ts` }, `// file ${n}\n${text.repeat(size)}`),
    ).flat(),
  ]
}

interface Opened {
  session: Session
  events: SessionEvent[]
  failures: () => PluginError[]
}

async function opened(
  plugins: readonly Plugin[],
  drafts: readonly EntryDraft[],
  options: Partial<SessionOptions> = {},
): Promise<Opened> {
  const events: SessionEvent[] = []
  const session = await openSession({
    store: memoryStore(),
    id: 'a',
    window: { context: 32_000 },
    now: () => 5,
    plugins,
    onEvent: (event) => events.push(event),
    ...options,
  })
  await session.append(...drafts)
  const failures = (): PluginError[] =>
    events.flatMap((event) => (event.type === 'plugin-failed' ? [event.error] : []))
  return { session, events, failures }
}

const summarized = { prune: () => undefined }

describe('definePlugin', () => {
  it('gives the plugin back, frozen', () => {
    const plugin = definePlugin({ name: 'a', continuation: (proposed) => proposed })
    expect(plugin.name).toBe('a')
    expect(Object.isFrozen(plugin)).toBe(true)
  })

  it.each([
    [undefined, 'The plugin "" cannot be used: it is not an object.'],
    [{ name: '' }, 'it has no name'],
    [{ name: 'a', onEvent: 5 }, 'The plugin "a" cannot be used: its onEvent must be a function.'],
    [{ name: 'a', protectedTools: 'b' }, 'its protectedTools must be a list of names'],
    [{ name: 'a', lenses: [{ tools: ['x'] }] }, 'its lenses must be a list of { tools, read }'],
    [{ name: 'a', sections: [{ heading: 'a\nb', guide: '' }] }, 'its sections must be a list of'],
    [
      {
        name: 'a',
        sections: Array.from({ length: 21 }, (_, n) => ({ heading: `s${n}`, guide: '' })),
      },
      'it has more than 20 sections',
    ],
  ])('refuses %j', async (given, message) => {
    const plugin = given as unknown as Plugin
    expect(() => definePlugin(plugin)).toThrow(PluginError)
    expect(() => definePlugin(plugin)).toThrow(message)
    await expect(opened([plugin], [])).rejects.toThrow(message)
  })
})

describe('beforeCompact', () => {
  it('sees the plan and what the model sees, and an asked one ends in its veto', async () => {
    const beforeCompact = vi.fn<NonNullable<Plugin['beforeCompact']>>(() => ({ veto: 'a demo' }))
    const { session, events } = await opened([{ name: 'guard', beforeCompact }], work(4))
    const compaction = session.compact()
    await expect(compaction).rejects.toBeInstanceOf(CompactionVetoedError)
    await expect(compaction).rejects.toMatchObject({ plugin: 'guard', reason: 'a demo' })
    const [request] = beforeCompact.mock.calls[0] ?? []
    expect(request?.plan.action).toBe('summarize')
    expect(request?.messages).toEqual(session.messages())
    expect(request?.facts.requests.map(({ text }) => text)).toEqual(['Mend the parser.'])
    expect((await session.log()).map(({ kind }) => kind)).not.toContain('checkpoint')
    expect(events.at(-1)).toMatchObject({ type: 'compaction-failed' })
  })

  it('a veto only puts off what is not needed yet', async () => {
    const policy = { ...defaultPolicy, threshold: (usable: number) => Math.floor(usable / 2) }
    const guard: Plugin = { name: 'guard', beforeCompact: () => ({ veto: 'not now' }) }
    const { session, events } = await opened([guard], work(12), { policy })
    expect(session.measure().tokens).toBeGreaterThan(session.budget().threshold)
    expect(await session.fit()).toMatchObject({ action: 'none', reason: 'fits' })
    expect(events.map(({ type }) => type)).not.toContain('compaction-failed')
    await session.append(...work(20))
    await expect(session.fit()).rejects.toThrow(
      /^The plugin "guard" vetoed a compaction: not now\. The context holds about [\d,]+ tokens/,
    )
  })

  it('keeps a step in the tail that would have been summarized, and out of the pruned', async () => {
    const keep: Plugin = { name: 'keeper', beforeCompact: () => ({ keep: [5, '6.0'] }) }
    const pruned = { ...defaultPolicy, pruneAlone: () => true }
    for (const policy of [{ ...defaultPolicy, ...summarized }, pruned]) {
      const { session } = await opened([keep], work(30, 200), { policy })
      const before = session.messages().find((each) => messageText(each).includes('// file 1\n'))
      const report = await session.fit()
      expect(report.action).toBe(policy === pruned ? 'prune' : 'summary')
      expect(before).toBeDefined()
      expect(session.messages()).toContainEqual(before)
      expect(JSON.stringify(session.messages())).not.toContain('// file 3\\n')
    }
  })

  it('what it keeps gives way where there is no room for it', async () => {
    const all: Plugin = {
      name: 'all',
      beforeCompact: () => ({ keep: Array.from(Array(80).keys()) }),
    }
    const { session } = await opened([all], work(30))
    const report = await session.fit()
    expect(report.action).not.toBe('none')
    expect(report.after).toBeLessThanOrEqual(session.budget().lowWater)
  })

  it('its summary is checked and repaired like a model’s, and no model is asked', async () => {
    const summarizer = scriptedSummarizer('good')
    const own: Plugin = {
      name: 'own',
      beforeCompact: async () => ({
        summary: [
          '## Goal\nMend it [7].',
          '## Instructions\n(none)',
          '## Discoveries\nsrc/never/there.ts',
          '## Accomplished\n(none)',
          '## Relevant files\n(none)',
        ].join('\n\n'),
      }),
    }
    const { session, failures } = await opened([own], work(20), {
      summarizer,
      policy: { ...defaultPolicy, ...summarized },
    })
    expect(await session.compact()).toMatchObject({ summarizer: 'own', rung: 'model' })
    const { summary = '' } = session.context().checkpoint ?? {}
    expect(summary).toContain('Mend it.')
    expect(summary).toContain('src/never/there.ts (not seen in this session)')
    expect(summary).toContain('Mend the parser.')
    expect(summarizer.requests).toEqual([])
    expect(failures()).toEqual([])
  })

  it('a bad one is told, and the summarizer is asked as ever', async () => {
    const summarizer = scriptedSummarizer('good')
    const own: Plugin = { name: 'own', beforeCompact: () => ({ summary: 'All is well.' }) }
    const { session, failures } = await opened([own], work(20), { summarizer })
    expect(await session.compact()).toMatchObject({ summarizer: 'scripted' })
    expect(advanceCircuitBreaker(closedCircuitBreaker(), await session.log()).failures).toBe(0)
    expect(failures().map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The plugin "own" failed in beforeCompact: .*none of the headings/),
    ])
  })

  it('an abort does not wait for it', async () => {
    const controller = new AbortController()
    let given: AbortSignal | undefined
    const slow: Plugin = {
      name: 'slow',
      beforeCompact: ({ signal }) => {
        given = signal
        controller.abort()
        return new Promise(() => {})
      },
    }
    const { session } = await opened([slow], work(20))
    await expect(session.compact({ signal: controller.signal })).rejects.toThrow(/abort/i)
    expect(given?.aborted).toBe(true)
    expect((await session.log()).every(({ kind }) => kind === 'message')).toBe(true)
  })

  it('what is said while it thinks stands behind the checkpoint', async () => {
    const slow: Plugin = {
      name: 'slow',
      beforeCompact: async () => {
        await session.say('And hurry.')
        return undefined
      },
    }
    const { session } = await opened([slow], [...work(20), assistant('Done.')])
    await session.compact()
    expect(session.messages().map(messageText).at(-1)).toBe('And hurry.')
  })
})

describe('a veto in a run', () => {
  const never: Plugin = { name: 'never', beforeCompact: () => ({ veto: 'not ever' }) }

  it('ends it before a request that cannot fit is sent', async () => {
    const { session, run, model } = await agent({
      script: () => ({ text: 'Done.' }),
      window: { context: 32_000 },
      plugins: [never],
    })
    await session.append(...work(20))
    await expect(run()).rejects.toMatchObject({ code: 'COMPACTION_VETOED', plugin: 'never' })
    expect(model.requests).toEqual([])
  })

  it('ends it when the provider says that the context is too long, after that one request', async () => {
    const { session, run, model } = await agent({
      script: () => ({ text: 'Done.' }),
      rules: { window: 8_000 },
      plugins: [never],
    })
    await session.append(...work(20))
    await expect(run()).rejects.toMatchObject({ code: 'COMPACTION_VETOED', plugin: 'never' })
    expect(model.requests).toHaveLength(1)
  })

  it('means nothing where compaction is off: nobody asks', async () => {
    const policy = { ...defaultPolicy, auto: false }
    const { session, run } = await agent({
      script: () => ({ text: 'Done.' }),
      plugins: [never],
      policy,
    })
    await session.append(...work(20))
    await expect(run()).resolves.toMatchObject({ reason: 'finished' })
  })
})

describe('afterSummary', () => {
  it('changes a summary, whose other lines keep their refs', async () => {
    const added: Plugin = {
      name: 'adds',
      afterSummary: ({ summary, summarizer }) => {
        expect(summarizer).toBe('local')
        return summary.replace('## Accomplished', '- A finding of mine [99]\n\n## Accomplished')
      },
    }
    const { session, failures } = await opened([added], work(20))
    const { session: plain } = await opened([], work(20))
    await session.compact()
    await plain.compact()
    const lines = (session.context().checkpoint?.summary ?? '').split('\n')
    const plainLines = (plain.context().checkpoint?.summary ?? '').split('\n')
    expect(lines.filter((line) => !plainLines.includes(line))).toEqual(['- A finding of mine'])
    expect(plainLines.filter((line) => !lines.includes(line))).toEqual([])
    expect(session.context().checkpoint?.metadata).toMatchObject({ changedBy: 'adds' })
    expect(failures()).toEqual([])
  })

  it.each([
    ['empties', ''],
    ['is no text', 5],
    ['lacks sections', 'All is well.'],
    ['is too large', `${'words '.repeat(40_000)}`],
  ])('one that %s leaves the summary as it was, and is told', async (_, given) => {
    const bad: Plugin = { name: 'bad', afterSummary: () => given as string }
    const { session, failures } = await opened([bad], work(20))
    const { session: plain } = await opened([], work(20))
    await session.compact()
    await plain.compact()
    expect(session.context().checkpoint?.summary).toBe(plain.context().checkpoint?.summary)
    expect(failures()).toHaveLength(1)
    const notes = (await session.log()).flatMap((entry) =>
      entry.kind === 'observation' && entry.observation.type === 'note' ? [entry.observation] : [],
    )
    expect(notes).toMatchObject([
      { name: 'plugin-failed', data: { plugin: 'bad', hook: 'afterSummary' } },
    ])
  })

  it('the human’s rules stay word for word, whatever it takes out', async () => {
    const forgetful: Plugin = {
      name: 'forgetful',
      afterSummary: ({ template }) =>
        template.sections.map(({ heading }) => `## ${heading}\n(none)`).join('\n\n'),
    }
    const rule = 'Never touch src/generated.'
    const { session } = await opened([forgetful], [human(rule), assistant('Yes.'), ...work(20)])
    await session.compact()
    expect(session.context().checkpoint?.summary).toContain(rule)
  })
})

describe('templates and sections', () => {
  const deploys = definePlugin({
    name: 'deploys',
    sections: [
      { heading: 'Deploys', guide: 'What was deployed where.' },
      { heading: 'goal', guide: 'A core section is there already.' },
    ],
  })

  it.each([
    ['the default', undefined],
    ['the one that is asked for', { sections: [{ heading: 'Own', guide: 'Mine.' }] }],
  ])('sections stand behind those of %s', async (_, template) => {
    const summarizer = scriptedSummarizer('good')
    const { session } = await opened([deploys], work(20), { summarizer })
    await session.compact(template ? { template } : {})
    const headings = summarizer.requests[0]?.template.sections.map(({ heading }) => heading)
    const core = ['Goal', 'Instructions', 'Discoveries', 'Accomplished', 'Relevant files']
    expect(headings).toEqual([...core, ...(template ? ['Own'] : []), 'Deploys'])
    expect(session.context().checkpoint?.summary).toContain('## Deploys')
  })

  it('a template that is none is passed over for the next', async () => {
    const summarizer = scriptedSummarizer('good')
    const plugins: Plugin[] = [
      { name: 'odd', template: () => ({ sections: 'none' }) as never },
      {
        name: 'throws',
        template: () => {
          throw new Error('no template today')
        },
      },
      { name: 'good', template: () => ({ sections: [{ heading: 'Good', guide: 'x' }] }) },
    ]
    const { session, failures } = await opened(plugins, work(20), { summarizer })
    await session.compact()
    const headings = summarizer.requests[0]?.template.sections.map(({ heading }) => heading)
    expect(headings).toContain('Good')
    expect(failures().map(({ plugin }) => plugin)).toEqual(['odd', 'throws'])
  })
})

describe('continuation', () => {
  const midTask = work(20)

  it.each([
    [
      'throws',
      () => {
        throw new Error('out of order')
      },
    ],
    ['gives a text', () => 'go on'],
    [
      'gives an assistant message',
      () => ({ kind: 'mid-task', message: { role: 'assistant', content: 'x' } }),
    ],
    [
      'gives one larger than the window',
      () => ({
        kind: 'mid-task',
        message: { role: 'user', content: 'go on '.repeat(50_000) },
        metadata: {},
      }),
    ],
  ])('one that %s is passed over', async (_, continuation) => {
    const odd = { name: 'odd', continuation } as unknown as Plugin
    const { session, failures } = await opened([odd], midTask)
    await session.compact()
    expect(session.messages().map(messageText).at(-1)).toBe('continue')
    expect(failures()).toMatchObject([{ plugin: 'odd', hook: 'continuation' }])
  })

  it('never stands for what the human said, and is never seen by the user', async () => {
    const odd: Plugin = {
      name: 'odd',
      continuation: () => ({
        kind: 'unanswered',
        message: { role: 'user', content: 'Do something else.' },
        metadata: {},
        of: 1,
      }),
    }
    const { session } = await opened([odd], midTask)
    await session.compact()
    const texts = session.messages().map(messageText)
    expect(texts).toContain('Mend the parser.')
    expect(texts.at(-1)).toBe('Do something else.')
    const seen = historyOf(await session.log()).entries.map(({ message }) => messageText(message))
    expect(seen).not.toContain('Do something else.')
  })
})

describe('lenses', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('no idea')
      },
    ],
    ['gives no list', () => 5],
    ['gives a promise', async () => []],
    [
      'gives effects that are none',
      () => [null, 5, {}, { type: 'edit' }, { type: 'edit', path: 5 }],
    ],
  ])('one that %s has no effect, and stops nothing', async (_, read) => {
    const odd = { name: 'odd', lenses: [{ tools: ['Read'], read }] } as unknown as Plugin
    const { session } = await opened([odd], work(20))
    expect((await session.compact()).action).toBe('summary')
    expect([...(await session.facts()).files.keys()]).toEqual([])
  })
})

describe('onEvent', () => {
  it('hears everything, and its failure is told once to the others', async () => {
    const heard: string[] = []
    const plugins: Plugin[] = [
      {
        name: 'broken',
        onEvent: () => {
          throw new Error('disk full')
        },
      },
      { name: 'rejects', onEvent: (async () => Promise.reject(new Error('later'))) as never },
      { name: 'listens', onEvent: ({ type }) => heard.push(type) },
    ]
    const { session, failures, events } = await opened(plugins, work(20))
    await session.compact()
    await Promise.resolve()
    expect(heard.filter((type) => type !== 'plugin-failed')).toEqual(
      events.map(({ type }) => type).filter((type) => type !== 'plugin-failed'),
    )
    expect(
      failures()
        .slice(0, 2)
        .map(({ plugin }) => plugin)
        .sort(),
    ).toEqual(['broken', 'rejects'])
  })
})

describe('compactLog', () => {
  it('hears plugins too, and gives back how they failed', async () => {
    const { session } = await opened([], work(20))
    const log = await session.log()
    const { report, pluginErrors, context } = await compactLog(log, {
      window: { context: 32_000 },
      trigger: 'manual',
      summarizer: { name: 'm', summarize: async (r) => ({ text: goodSummary(r), finish: 'stop' }) },
      plugins: [
        { name: 'odd', beforeCompact: () => 5 as never },
        { name: 'signs', afterSummary: ({ summary }) => `${summary}\n- signed` },
      ],
    })
    expect(report).toMatchObject({ action: 'summary', summarizer: 'm' })
    expect(pluginErrors).toMatchObject([{ plugin: 'odd', hook: 'beforeCompact' }])
    expect(context.checkpoint?.summary).toContain('- signed')
  })
})
