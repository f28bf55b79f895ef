import { toolTable } from '../handoff/tool-table.ts'

const shell = { command: 'command', description: 'description' }
const shellMarks = {
  own: ['shellId'],
  asides: ['description', 'initial_wait'],
  usual: { mode: 'sync' },
  toldBy: { description: 'command' },
}

/** As real sessions of versions 1.0.40 to 1.0.74 call them, and 1.0.102 gives them to its model. */
export const copilotCliTools = toolTable('Copilot CLI', [
  ['bash', 'runs a command', shell, shellMarks],
  ['powershell', 'runs a command', shell, shellMarks],
  ['view', 'reads a file', { path: 'path' }, { own: ['view_range'] }],
  ['create', 'writes a whole file', { path: 'path', content: 'file_text' }],
  [
    'edit',
    'changes a part of a file',
    { path: 'path', 'old text': 'old_str', 'new text': 'new_str' },
  ],
  ['apply_patch', 'applies a patch', { patch: 'input' }],
  [
    'grep',
    'searches in files',
    { pattern: 'pattern', files: 'glob?' },
    { own: ['paths'], usual: { output_mode: 'content', '-n': true } },
  ],
  ['glob', 'finds files by name', { pattern: 'pattern' }, { own: ['paths'] }],
  [
    'task',
    'gives work to a subagent',
    {},
    { own: ['agent_type', 'prompt', 'description', 'name'] },
  ],
  ['ask_user', 'asks the user', {}, { own: ['question', 'choices'] }],
  ['skill', 'loads a skill', { skill: 'skill' }],
])
