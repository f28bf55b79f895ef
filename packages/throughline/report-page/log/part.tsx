import { useState, useEffect } from 'preact/hooks'
import { sanitizeLine } from '../../src/log/sanitize.ts'
import { whole, short } from '../numbers.ts'
import { Plain, Prose } from '../text/text.tsx'
import type { LoggedPart } from '../../src/report/model.ts'
import type { LogBlock, Target } from './blocks.ts'
import type { ComponentChildren } from 'preact'
import type { Seq } from '../../src/log/entry.ts'

interface PartProps {
  part: LoggedPart
  block: LogBlock
  target: Target | undefined
}

/** One part of a message: what was said, thought, called or answered. */
export function Part({ part, block, target }: PartProps) {
  const { entry } = block
  switch (part.type) {
    case 'text':
      return entry.what === 'harness' || entry.what === 'note' || entry.what === 'system' ? (
        <Folded
          title={sanitizeLine(part.text.slice(0, 400))}
          length={part.text.length}
          open={target?.words !== undefined}
        >
          <Said part={part} plain />
        </Folded>
      ) : (
        <Said part={part} plain={entry.what === 'prune'} />
      )
    case 'thinking':
      return (
        <Folded
          title="Thinking"
          aside={sanitizeLine(part.text.slice(0, 200))}
          length={part.text.length}
          open={target?.words !== undefined && holdsWords(part.text, target.words)}
        >
          <Said part={part} />
        </Folded>
      )
    case 'call':
      return <Call part={part} block={block} target={target} />
    case 'result':
      return (
        <Folded
          title={`${part.tool} answered`}
          length={part.text.length}
          open={target !== undefined}
        >
          <Output part={part} />
        </Folded>
      )
    case 'media':
      return <p class="media">{sanitizeLine(part.text)}</p>
  }
}

function holdsWords(text: string, words: string | undefined): boolean {
  return words !== undefined && text.toLowerCase().includes(words.toLowerCase())
}

const longestAtFirst = 3000

/** What was said; of a very long text the beginning. */
function Said({ part, plain = false }: { part: { text: string; cut?: number }; plain?: boolean }) {
  const [all, setAll] = useState(part.text.length <= longestAtFirst * 1.3)
  const text = all ? part.text : part.text.slice(0, longestAtFirst)
  return (
    <>
      {plain ? <Plain text={text} /> : <Prose text={text} />}
      {!all && (
        <button type="button" class="more" onClick={() => setAll(true)}>
          {whole(part.text.length - longestAtFirst)} more characters
        </button>
      )}
      <Cut part={part} />
    </>
  )
}

function Cut({ part }: { part: { cut?: number } }) {
  if (part.cut === undefined) return null
  return (
    <p class="note">
      {whole(part.cut)} more characters are not in this page. They stand in the session: throughline
      recall reads them back.
    </p>
  )
}

function Call({
  part,
  block,
  target,
}: PartProps & { part: Extract<LoggedPart, { type: 'call' }> }) {
  const result = block.results.get(part.id)
  const isTarget =
    (target !== undefined && result !== undefined && result.entry.seq === target.seq) ||
    holdsWords(part.text, target?.words) ||
    holdsWords(result?.part.text ?? '', target?.words)
  const length = result?.part.text.length ?? 0
  return (
    <Folded
      title={part.tool}
      aside={part.subject}
      length={length}
      failed={result?.part.failed}
      state={result === undefined ? 'no result' : undefined}
      seq={result?.entry.seq}
      open={isTarget}
    >
      <Input text={part.text} />
      <Cut part={part} />
      {result && (
        <>
          <p class="quiet result-head">
            Result, entry {result.entry.seq}
            {result.entry.now === 'pruned' || result.entry.now === 'clipped'
              ? `, ${result.entry.now}`
              : ''}
          </p>
          <Output part={result.part} />
        </>
      )}
    </Folded>
  )
}

/** The input of a call; a patch with what it takes out and puts in. */
function Input({ text }: { text: string }) {
  if (/^\*\*\* Begin Patch|^@@ |^diff --git /m.test(text.slice(0, 4000)))
    return <Patch text={text} />
  return <Plain text={text} />
}

const mostPatchLines = 2000

function Patch({ text }: { text: string }) {
  const lines = text.split('\n')
  if (lines.length > mostPatchLines) return <Plain text={text} />
  return (
    <pre tabIndex={0} class="patch">
      {lines.map((line) => (
        <span class={line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : ''}>
          {`${sanitizeLine(line, { lines: true })}\n`}
        </span>
      ))}
    </pre>
  )
}

function Output({ part }: { part: Extract<LoggedPart, { type: 'result' }> }) {
  if (part.text === '') return <p class="quiet">It printed nothing.</p>
  return (
    <>
      <Plain text={part.text} />
      <Cut part={part} />
    </>
  )
}

interface FoldedProps {
  title: string
  aside?: string
  length: number
  failed?: boolean | undefined
  state?: string | undefined
  seq?: Seq | undefined
  open: boolean
  children: ComponentChildren
}

/** Something that is drawn only when somebody opens it. */
function Folded({ title, aside, length, failed, state, seq, open, children }: FoldedProps) {
  const [opened, setOpened] = useState(open)
  useEffect(() => {
    if (open) setOpened(true)
  }, [open])
  return (
    <details
      class={`folded ${failed ? 'failed' : ''}`}
      open={opened}
      onToggle={(event) => setOpened(event.currentTarget.open)}
      {...(seq !== undefined && { 'data-seq': seq })}
    >
      <summary>
        <span class="tool">{sanitizeLine(title)}</span>
        {aside ? <span class="subject">{sanitizeLine(aside)}</span> : null}
        <span class="quiet size">
          {failed ? <b class="bad">failed </b> : null}
          {state ?? (length > 0 ? `${short(length)} chars` : 'empty')}
        </span>
      </summary>
      {opened && <div class="inside">{children}</div>}
    </details>
  )
}
