/** The content of a shell script, without running it: its simple commands in order. */
export type ScriptEvent = ShellCommand | SubshellStart | SubshellEnd

export interface ShellCommand {
  type: 'command'
  words: Word[]
  /** Files that its output is sent to. */
  writes: { target: Word; append: boolean }[]
  /** The text of its here-document or here-string, if it has one with nothing to expand. */
  document?: string
  /** It comes after a pipe, or before one. */
  pipedIn: boolean
  pipedOut: boolean
  /** Number of its and-or list: the exit status is that of the last list. */
  list: number
  /** It may not have run: after `||`, in a branch, a loop or a function. */
  guarded: boolean
}

interface SubshellStart {
  type: 'enter'
}

interface SubshellEnd {
  type: 'leave'
}

export interface Word {
  text: string
  /** The shell expands nothing in it: its text is its value. */
  plain: boolean
}
