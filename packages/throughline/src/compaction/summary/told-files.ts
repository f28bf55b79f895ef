import { sharedDirectory } from './shared-directory.ts'
import type { FileFact } from '../../facts/facts.ts'

/** A text that may say what happened to files, and the part of it that says what was done. */
export interface ToldText {
  text: string
  accomplished: string
}

/**
 * Lines for the changed files that a text doesn't tell of, with what happened to them; those of one
 * kind share a line where there are many. A file is told of where it is named with what happened to
 * it, or under what was done: by its path, relative to a directory that the text states, or by its
 * name alone where the text gives the path elsewhere.
 */
export function untoldFiles(files: Iterable<FileFact>, told: ToldText): string[] {
  const all = [...files]
  const shared = Map.groupBy(all, ({ path }) => lastOf(path))
  const isOnly = ({ path }: FileFact): boolean => shared.get(lastOf(path))?.length === 1
  const untold = all.filter((file) => file.state !== 'read' && !tells(told, file, isOnly(file)))
  return [...Map.groupBy(untold, ({ state }) => state)].flatMap(([state, own]) =>
    own.length < few || state === 'renamed' ? own.map(lineOf) : [sharedLine(state, own)],
  )
}

const few = 3

function lineOf(file: FileFact): string {
  return `- \`${file.path}\` ${stateOf(file)} [${file.seqs.at(-1) ?? ''}]`
}

/** A directory that many of them share is written once, followed by its files. */
function sharedLine(state: string, files: readonly FileFact[]): string {
  const directory = sharedDirectory(files.map(({ path }) => path))
  const isIn = ({ path }: FileFact): boolean => directory !== '' && path.startsWith(directory)
  const named = (own: readonly FileFact[], from = 0): string =>
    own.map(({ path, seqs }) => `\`${path.slice(from)}\` [${seqs.at(-1) ?? ''}]`).join(', ')
  const outside = files.filter((file) => !isIn(file))
  const inside = files.filter(isIn)
  const first = outside.length === 0 ? '' : ` ${named(outside)}`
  if (inside.length === 0) return `- ${state}:${first}`
  const between = first === '' ? '' : `${first};`
  return `- ${state}:${between} in \`${directory}\`: ${named(inside, directory.length)}`
}

function stateOf({ state, edits, from, to }: FileFact): string {
  if (state === 'renamed') return to ? `renamed to \`${to}\`` : `renamed from \`${from ?? '?'}\``
  return state === 'edited' && edits > 1 ? `edited ${edits} times` : state
}

const words: Record<Exclude<FileFact['state'], 'read'>, RegExp> = {
  created: /creat|add|new|wr[io]t|tạo|thêm|创建|新增|作成|追加|생성|созда|добав|crea|añad|erstell/i,
  edited:
    /edit|chang|modif|updat|fix|refactor|rewr|sửa|修改|更新|変更|수정|измен|исправ|cambi|änder/i,
  renamed: /renam|mov|đổi tên|重命名|改名|이름|переимен|renombr|umbenan/i,
  deleted: /delet|remov|xóa|xoá|删除|削除|삭제|удал|elimin|borr|lösch|entfern/i,
}

function tells(
  { text, accomplished }: ToldText,
  { path, state }: FileFact,
  isOnly: boolean,
): boolean {
  if (state === 'read') return true
  // What happened to a file under what was done is plain, unless it is gone or has moved.
  const isThere = state === 'edited' || state === 'created'
  if (isThere && placesIn(accomplished, path).length > 0) return true
  // Where only one file has that name, and its path is told as well, the name alone is plain.
  const named = isOnly && positionsOf(accomplished, lastOf(path), /[\w.@~-]/).length > 0
  if (isThere && named && positionsOf(text, path, /[\w.@~-]/).length > 0) return true
  return placesIn(text, path).some(({ at, name }) =>
    words[state].test(lineAround(text, at, name.length)),
  )
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Where a text names a file: by its path, or by what follows a directory that it states. */
function placesIn(text: string, path: string): { at: number; name: string }[] {
  const places = positionsOf(text, path, /[\w.@~-]/).map((at) => ({ at, name: path }))
  for (let end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
    const name = path.slice(end + 1)
    const own = positionsOf(text, name, /[\w.@~/-]/)
    if (own.length > 0 && statesDirectory(text, path.slice(0, end))) {
      places.push(...own.map((at) => ({ at, name })))
    }
  }
  return places
}

function statesDirectory(text: string, directory: string): boolean {
  return positionsOf(text, directory, /[\w.@~-]/).some(
    (at) => !/^\/?[\w.-]/.test(text.slice(at + directory.length, at + directory.length + 2)),
  )
}

/** Where a name occurs by itself: next to one of `inner` it would be part of a longer one. */
function positionsOf(text: string, name: string, inner: RegExp): number[] {
  const positions: number[] = []
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    const after = text.slice(at + name.length, at + name.length + 2)
    const before = text.slice(Math.max(at - 2, 0), at)
    const begins = !inner.test(before.slice(-1)) || before === './'
    if (begins && !/^(?:\w|[.-]\w)/.test(after)) positions.push(at)
  }
  return positions
}

function lineAround(text: string, at: number, length: number): string {
  const start = text.lastIndexOf('\n', at) + 1
  const end = text.indexOf('\n', at + length)
  return text.slice(start, end === -1 ? undefined : end)
}
