import { describe, expect, it } from 'vitest'
import { convertCall, toolTableOf } from './hand-over.ts'

function converted(from: string, to: string, toolName: string, input: unknown) {
  const tables = { from: toolTableOf(from), to: toolTableOf(to), directory: '/here' }
  return convertCall({ toolName, input }, tables)
}

describe('a call with an exact counterpart', () => {
  it.each([
    [
      'claude-code',
      'opencode',
      ['Read', { file_path: '/a', offset: 3, limit: 9 }],
      ['read', { filePath: '/a', offset: 3, limit: 9 }],
    ],
    [
      'opencode',
      'claude-code',
      ['write', { filePath: '/a', content: 'x' }],
      ['Write', { file_path: '/a', content: 'x' }],
    ],
    [
      'claude-code',
      'codex',
      ['Bash', { command: 'ls', description: 'List', timeout: 5000 }],
      ['exec_command', { cmd: 'ls' }],
    ],
    [
      'codex',
      'opencode',
      ['exec_command', { cmd: 'ls -la\nls', workdir: '/a', yield_time_ms: 1000 }],
      ['bash', { command: 'ls -la\nls', workdir: '/a' }],
    ],
    [
      'pi',
      'copilot-cli',
      ['bash', { command: 'ls -la\nls' }],
      ['bash', { command: 'ls -la\nls', description: 'ls -la' }],
    ],
    [
      'codex',
      'claude-code',
      ['shell_command', { command: 'ls', workdir: '/here', timeout_ms: 1000 }],
      ['Bash', { command: 'ls' }],
    ],
    [
      'codex',
      'opencode',
      ['apply_patch', { input: '*** Begin Patch' }],
      ['apply_patch', { patchText: '*** Begin Patch' }],
    ],
    [
      'claude-code',
      'pi',
      ['Edit', { file_path: '/a', old_string: '1', new_string: '2', replace_all: false }],
      ['edit', { path: '/a', edits: [{ oldText: '1', newText: '2' }] }],
    ],
    [
      'pi',
      'copilot-cli',
      ['edit', { path: '/a', oldText: '1', newText: '2' }],
      ['edit', { path: '/a', old_str: '1', new_str: '2' }],
    ],
    [
      'gemini-cli',
      'qwen-code',
      ['replace', { file_path: '/a', old_string: '1', new_string: '2', instruction: 'Count' }],
      ['edit', { file_path: '/a', old_string: '1', new_string: '2' }],
    ],
  ] as const)('of %s is made as %s makes it', (from, to, [name, input], [toolName, expected]) => {
    expect(converted(from, to, name, input)).toEqual({ toolName, input: expected })
  })
})

describe('a call without one', () => {
  it.each([
    [
      'Claude Code runs commands in one place',
      'codex',
      'claude-code',
      'exec_command',
      { cmd: 'ls', workdir: '/elsewhere' },
    ],
    ['Codex reads no files by a tool', 'claude-code', 'codex', 'Read', { file_path: '/a' }],
    [
      'pi changes one place at a time',
      'claude-code',
      'pi',
      'Edit',
      { file_path: '/a', old_string: '1', new_string: '2', replace_all: true },
    ],
    [
      'one call cannot make several edits',
      'pi',
      'claude-code',
      'edit',
      {
        path: '/a',
        edits: [
          { oldText: '1', newText: '2' },
          { oldText: '3', newText: '4' },
        ],
      },
    ],
    [
      'Gemini CLI wants to be told why',
      'claude-code',
      'gemini-cli',
      'Edit',
      { file_path: '/a', old_string: '1', new_string: '2' },
    ],
    [
      'Qwen Code counts lines from 0',
      'claude-code',
      'qwen-code',
      'Read',
      { file_path: '/a', offset: 3, limit: 9 },
    ],
    ['the argument is unknown', 'claude-code', 'opencode', 'Read', { file_path: '/a', pages: '1' }],
    ['the argument is missing', 'claude-code', 'opencode', 'Write', { file_path: '/a' }],
    ['the tool is unknown', 'claude-code', 'opencode', 'mcp__x__y', { command: 'ls' }],
    ['the harness is unknown', 'swe-agent', 'opencode', 'bash', { command: 'ls' }],
    ['Claude Code has no such tool any more', 'opencode', 'claude-code', 'grep', { pattern: 'x' }],
    ['pi has it switched off', 'claude-code', 'pi', 'Glob', { pattern: 'x' }],
    ['Claude Code searches for it first', 'opencode', 'claude-code', 'websearch', { query: 'x' }],
    ['the lists differ', 'claude-code', 'opencode', 'TodoWrite', { todos: [] }],
    ['nothing is asked', 'claude-code', 'opencode', 'Bash', {}],
    ['the input is no object', 'claude-code', 'opencode', 'Bash', 'ls'],
    ['a name of every object is no tool', 'claude-code', 'opencode', 'constructor', {}],
  ])('is not converted: %s', (_, from, to, name, input) => {
    expect(converted(from, to, name, input)).toBeUndefined()
  })
})
