import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { contextOf } from '../log/context/context.ts'
import { chronological, type Chronological } from '../log/order.ts'
import { parseRef, readRef } from '../log/ref.ts'
import { redacted, redactedShort } from '../log/redaction/secret.ts'
import { openSession } from '../session/session.ts'
import { memoryStore } from '../stores/memory.ts'
import { sqliteStore } from '../stores/sqlite/index.ts'
import { arbitraryLife, type Action } from '../testing/generate/actions.ts'
import { act, beginLife, type Life } from '../testing/generate/life.ts'
import { human } from '../testing/generate/build.ts'
import { full, runs } from '../testing/generate/runs.ts'
import { illegalities } from '../testing/legal.ts'
import type { Context } from '../log/context/context.ts'
import type { ContextItem } from '../log/context/context-item.ts'
import type { Entry, Seq } from '../log/entry.ts'

const folder = mkdtempSync(join(tmpdir(), 'throughline-lives-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

const itemsOf = ({ items }: Context): string => JSON.stringify(items)

/** The seqs in force, by what a rewind says and nothing else. */
function seqsInForce(log: Chronological): Set<Seq> {
  const views: Seq[][] = [[]]
  for (const entry of log) {
    const before = views[entry.seq - 1] ?? []
    if (entry.kind === 'rewind') {
      const { to, resume = Infinity } = entry
      views.push([...(views[to] ?? []), ...before.filter((seq) => seq >= resume)])
    } else {
      views.push([...before, entry.seq])
    }
  }
  return new Set(views.at(-1))
}

function isSaid(entry: Entry): boolean {
  if (entry.kind !== 'message' || entry.origin === 'synthetic') return false
  return entry.metadata?.compaction_continue !== true
}

/** What was said behind a summary that was undone stands behind other things now: so it is marked. */
function saidBehind(undone: Seq, item: ContextItem): ContextItem {
  if (item.seq < undone || item.type !== 'message' || item.message.role !== 'assistant') return item
  return { ...item, kept: item.kept ?? 'whole' }
}

function isCompaction({ kind }: Entry): boolean {
  return kind === 'checkpoint' || kind === 'prune'
}

const refsInTexts = /ref(?:="| )(\d{1,5}(?:\.\d+)?)/g
const refsInSummary = /^(?!>).* \[(\d{1,5})\]:?$/gm

/** What has been seen of a life, and what must hold of it for ever. */
class Witness {
  #log = chronological([])
  #context = ''
  /** Every ref that the model has ever read. */
  #refs = new Set<string>()
  /** What stood before each compaction. */
  #before = new Map<Seq, string>()

  /** Lets it happen, looks at what became of it, and tells all of it. */
  async see(life: Life, action: Action): Promise<string> {
    const before = { log: this.#log, context: this.#context }
    await act(life, action)
    this.#log = chronological([...(await life.session.log())])
    this.#context = itemsOf(life.session.context())
    if (action.does === 'fork') this.#expectFork(before.log)
    else if (action.does.startsWith('redact')) this.#before.clear()
    else this.#expectGrowth(before.log)
    const made = this.#log.slice(before.log.length).at(-1)
    if (made && isCompaction(made)) this.#before.set(made.seq, before.context)
    if (made && action.does === 'undo') this.#expectUndone(before.log)
    await this.#expectWhole(life)
    return JSON.stringify([this.#log, this.#context])
  }

  #expectGrowth(before: Chronological): void {
    const kept = JSON.stringify(this.#log.slice(0, before.length))
    expect(kept, 'the log only grows').toBe(JSON.stringify(before))
  }

  #expectFork(before: Chronological): void {
    const upTo = this.#log.length
    const taken = JSON.stringify(before.slice(0, upTo))
    expect(JSON.stringify(this.#log), 'a fork takes over the log').toBe(taken)
    expect(this.#context, 'a fork').toBe(itemsOf(contextOf(before, upTo)))
    this.#refs = new Set([...this.#refs].filter((ref) => (parseRef(ref)?.seq ?? 0) <= upTo))
    this.#before = new Map([...this.#before].filter(([seq]) => seq <= upTo))
  }

  #expectUndone(before: Chronological): void {
    const force = seqsInForce(before)
    const undone = before.findLast((entry) => force.has(entry.seq) && isCompaction(entry))?.seq
    const without = contextOf(chronological(before.filter(({ seq }) => seq !== undone)))
    const left = JSON.stringify(without.items.map((item) => saidBehind(undone ?? Infinity, item)))
    expect(this.#context, 'undo leaves what was said since').toBe(left)
    const noted = undone === before.length ? this.#before.get(undone) : undefined
    if (noted !== undefined) expect(this.#context, 'undo restores what was').toBe(noted)
  }

  async #expectWhole({ session, store, options }: Life): Promise<void> {
    const messages = session.messages()
    expect(illegalities(messages), 'the context is legal').toEqual([])
    const reopened = await openSession({ ...options, store })
    expect(JSON.stringify(reopened.messages()), 'reopened').toBe(JSON.stringify(messages))
    expect(itemsOf(contextOf(this.#log)), 'the whole log').toBe(this.#context)
    const force = seqsInForce(this.#log)
    const said = this.#log.filter((entry) => force.has(entry.seq) && isSaid(entry))
    expect(await session.history(), 'the history is whole').toEqual(said)
    for (const [, ref] of JSON.stringify(messages).matchAll(refsInTexts)) this.#refs.add(ref ?? '')
    for (const item of session.context().items) {
      const summary = item.type === 'summary' ? item.summary : ''
      for (const [, seq] of summary.matchAll(refsInSummary)) this.#refs.add(seq ?? '')
    }
    for (const ref of this.#refs) {
      expect(await session.read(ref), `ref ${ref}`).toEqual(readRef(this.#log, ref))
    }
  }
}

/** A file has no room for the long marker where the message was, and so nothing to do again. */
const redactedAgain: Action[] = [
  { does: 'append', drafts: [human('\0\0\0'), human('go on')] },
  { does: 'redact a message', share: 0 },
  { does: 'redact a message', share: 0 },
]

describe('G1: nothing is lost in a whole life', () => {
  it('whatever is done, and in every store alike', { timeout: 3_600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryLife(full ? 40 : 16), async (actions) => {
        using file = sqliteStore({ file: join(folder, `${files++}.db`) })
        const inMemory = { life: await beginLife(memoryStore()), witness: new Witness() }
        const inFile = { life: await beginLife(file), witness: new Witness() }
        for (const action of actions) {
          const seen = await inMemory.witness.see(inMemory.life, action)
          // A file writes the short marker where the long one has no room.
          const alike = (text: string): string => text.replaceAll(redactedShort, redacted)
          expect(alike(await inFile.witness.see(inFile.life, action))).toBe(alike(seen))
        }
      }),
      { ...runs(12), examples: [[redactedAgain]] },
    )
  })
})
