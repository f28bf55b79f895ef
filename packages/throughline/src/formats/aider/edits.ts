import { edit, fenceIn } from './signs.ts'

/** A part of a reply: words, or one change to a file as the model wrote it. */
export type ReplyPart = { type: 'text'; text: string } | Edit

export interface Edit {
  type: 'edit'
  path: string
  /** Empty for a new file. */
  search: string
  replace: string
  /** All that stands for it in the reply. */
  source: string
}

/** A reply taken apart into its words and its SEARCH/REPLACE blocks, in order. */
export function replyParts(reply: string): ReplyPart[] {
  const lines = reply.split('\n')
  const parts: ReplyPart[] = []
  let path: string | undefined
  let from = 0
  for (let index = 0; index < lines.length; index++) {
    const block = edit.isStart(lines[index] ?? '') ? blockAt(lines, index, from) : undefined
    if (!block) continue
    path = block.path ?? path
    if (path !== undefined) {
      addText(parts, lines.slice(from, block.from))
      const source = lines.slice(block.from, block.to).join('\n')
      parts.push({ type: 'edit', path, search: block.search, replace: block.replace, source })
      from = block.to
    }
    index = block.to - 1
  }
  addText(parts, lines.slice(from))
  return parts
}

function addText(parts: ReplyPart[], lines: readonly string[]): void {
  const text = lines.join('\n').trim()
  if (text !== '') parts.push({ type: 'text', text })
}

interface Block {
  from: number
  to: number
  path: string | undefined
  search: string
  replace: string
}

/** The block that begins at a line, with the fence and the name of the file above it. */
function blockAt(lines: readonly string[], start: number, least: number): Block | undefined {
  const middle = indexFrom(lines, start + 1, edit.isMiddle)
  const end = middle < 0 ? -1 : indexFrom(lines, middle + 1, edit.isEnd)
  if (end < 0) return undefined
  const fence = start > least ? fenceIn(lines[start - 1] ?? '') : undefined
  const fenced = start - (fence ? 1 : 0)
  const above = fenced > least ? fileName(lines[fenced - 1] ?? '') : undefined
  const path = above ?? (fence && looksLikePath(fence.info) ? fence.info : undefined)
  const closed = fence && fenceIn(lines[end + 1] ?? '')?.info === ''
  return {
    from: fenced - (above === undefined ? 0 : 1),
    to: end + (closed ? 2 : 1),
    path,
    search: textOf(lines.slice(start + 1, middle)),
    replace: textOf(lines.slice(middle + 1, end)),
  }
}

function indexFrom(
  lines: readonly string[],
  from: number,
  wanted: (line: string) => boolean,
): number {
  for (let index = from; index < lines.length; index++) {
    const line = lines[index] ?? ''
    if (wanted(line)) return index
    if (edit.isStart(line)) return -1
  }
  return -1
}

function textOf(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

/** Models put Markdown around the name of a file. */
function fileName(line: string): string | undefined {
  if (line.length > 300) return undefined
  const name = line.trim().replace(/^[#*`\s]+|[*`:\s]+$/g, '')
  return looksLikePath(name) ? name : undefined
}

function looksLikePath(text: string): boolean {
  return text.length < 260 && !/\s\S+\s\S+\s/.test(text) && /[./]|^(?:Make|Docker)file$/.test(text)
}
