/** The tools of a harness, as far as others have tools for the same work. */
export interface ToolTable {
  /** The harness's name as people write it. */
  label: string
  /** Where there are several of a kind, the first is the one that its model is given now. */
  tools: readonly KnownTool[]
}

export interface KnownTool extends ToolMarks {
  name: string
  kind: WorkKind
  /**
   * The names of its arguments by what they mean: two tools of one kind take the same value where
   * the meaning is the same word. `edits[].oldText` is a field of the one object in a list.
   */
  arguments: Readonly<Record<string, string>>
  /** The meanings without which it cannot be called. */
  needs: readonly string[]
}

/** What only some tools have. */
export interface ToolMarks {
  /** Arguments of a shape that no other harness has: with one, it is another call elsewhere. */
  own?: readonly string[]
  /** Arguments that change how a call runs, not what it does: they may be left out. */
  asides?: readonly string[]
  /** Arguments that may be left out with this value, for others do so anyway. */
  usual?: Readonly<Record<string, unknown>>
  /** A meaning that it needs and others have not, and the one whose first words tell it. */
  toldBy?: Readonly<Record<string, string>>
  /**
   * Where a model is not given it from the start: it has to search for it before it may call it,
   * or only earlier versions have it, or few users switch it on.
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

/** One tool in a table: behind the name of an argument that it can do without stands a `?`. */
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
