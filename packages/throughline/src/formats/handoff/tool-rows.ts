import type { ToolMarks, ToolRow } from './tool-table.ts'

/*
 * Rows that the tables of several harnesses share: many took a tool over with the names of its
 * arguments. What only one of them has stands in its own table.
 */

export function reads(name: string, path: string): ToolRow {
  return [name, 'reads a file', { path, 'first line': 'offset?', lines: 'limit?' }]
}

export function writes(name: string, path = 'file_path'): ToolRow {
  return [name, 'writes a whole file', { path, content: 'content' }]
}

export function edits(name: string): ToolRow {
  const named = { path: 'file_path', 'old text': 'old_string', 'new text': 'new_string' }
  const whole = { ...named, everywhere: 'replace_all?' }
  return [name, 'changes a part of a file', whole, { usual: { replace_all: false } }]
}

export function patches(name: string, patch: string): ToolRow {
  return [name, 'applies a patch', { patch }]
}

export function greps(name: string, marks?: ToolMarks): ToolRow {
  return [name, 'searches in files', { pattern: 'pattern', path: 'path?', files: 'glob?' }, marks]
}

export function globs(name: string, marks?: ToolMarks): ToolRow {
  return [name, 'finds files by name', { pattern: 'pattern', path: 'path?' }, marks]
}

export function lists(name: string, marks?: ToolMarks): ToolRow {
  return [name, 'lists a directory', { path: 'path' }, marks]
}

export function fetches(name: string): ToolRow {
  const marks: ToolMarks = { given: 'after a search' }
  return [name, 'fetches a web page', { url: 'url', question: 'prompt' }, marks]
}

export function searchesTheWeb(name: string, marks?: ToolMarks): ToolRow {
  return [name, 'searches the web', { query: 'query' }, marks]
}

export function keepsTodos(name: string, marks?: ToolMarks): ToolRow {
  return [name, 'keeps the list of things to do', {}, { ...marks, own: ['todos'] }]
}

export function delegates(name: string, marks?: ToolMarks): ToolRow {
  const named = { task: 'prompt', description: 'description' }
  return [name, 'gives work to a subagent', named, { ...marks, own: ['subagent_type'] }]
}

export function asks(name: string, marks?: ToolMarks): ToolRow {
  return [name, 'asks the user', {}, { ...marks, own: ['questions'] }]
}

export function loadsSkills(name: string, skill: string): ToolRow {
  return [name, 'loads a skill', { skill }]
}
