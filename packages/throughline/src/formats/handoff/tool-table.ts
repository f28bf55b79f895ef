/** The tools of a harness, as far as others have tools for the same work. */
export interface ToolTable {
  /** The harness's name as people write it. */
  label: string
  /** If there are several of a kind, the first is the one that its model gets now. */
  tools: readonly KnownTool[]
}

export interface KnownTool extends ToolMarks {
  name: string
  kind: WorkKind
  /**
   * The names of its arguments by meaning: two tools of one kind take the same value where the
   * meaning has the same name. `edits[].oldText` is a field of the single object in a list, and
   * `commands[]` its single value.
   */
  arguments: Readonly<Record<string, string>>
  /** The meanings that a call requires. */
  needs: readonly string[]
}

/** Properties that only some tools have. */
export interface ToolMarks {
  /**
   * Arguments in a form that no other harness has: with one of these, it is a different call
   * elsewhere.
   */
  own?: readonly string[]
  /** Arguments that change how a call runs, not what it does: they may be left out. */
  asides?: readonly string[]
  /** Arguments that may be left out with this value, because others do so anyway. */
  usual?: Readonly<Record<string, unknown>>
  /** A meaning that it requires and others don't have, and the one whose first words provide it. */
  toldBy?: Readonly<Record<string, string>>
  /**
   * If a model doesn't get it from the start: it has to search for it first, or only earlier
   * versions have it, or few users turn it on.
   */
  given?: 'after a search' | 'seldom'
}

/** What a tool does, in words for a model. */
export type WorkKind =
  | 'runs a command'
  | 'reads a file'
  | 'writes a whole file'
  | 'changes a part of a file'
  | 'applies a patch'
  | 'searches in files'
  | 'finds files by name'
  | 'lists a directory'
  | 'fetches a web page'
  | 'searches the web'
  | 'keeps the list of things to do'
  | 'gives work to a subagent'
  | 'asks the user'
  | 'loads a skill'

/** One tool in a table: the name of an optional argument ends with `?`. */
export type ToolRow = readonly [
  name: string,
  kind: WorkKind,
  arguments: Readonly<Record<string, string>>,
  marks?: ToolMarks | undefined,
]

export function toolTable(label: string, rows: readonly ToolRow[]): ToolTable {
  return { label, tools: rows.map(toolOf) }
}

function toolOf([name, kind, named, marks]: ToolRow): KnownTool {
  const all = Object.entries(named)
  return {
    name,
    kind,
    arguments: Object.fromEntries(all.map(([meaning, word]) => [meaning, word.replace(/\?$/, '')])),
    needs: all.flatMap(([meaning, word]) => (word.endsWith('?') ? [] : [meaning])),
    ...marks,
  }
}
