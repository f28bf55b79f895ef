import type { KnownTool, ToolTable } from '../handoff/tool-table.ts'

const shell: Omit<KnownTool, 'name'> = {
  kind: 'runs a command',
  arguments: { command: 'command', description: 'description' },
  needs: ['command', 'description'],
  own: ['shellId'],
  asides: ['description', 'initial_wait'],
  usual: { mode: 'sync' },
  toldBy: { description: 'command' },
}

/** As real sessions of versions 1.0.40 to 1.0.74 call them. */
export const copilotCliTools: ToolTable = {
  label: 'Copilot CLI',
  tools: [
    { name: 'bash', ...shell },
    { name: 'powershell', ...shell },
    {
      name: 'view',
      kind: 'reads a file',
      arguments: { path: 'path' },
      needs: ['path'],
      own: ['view_range'],
    },
    {
      name: 'create',
      kind: 'writes a whole file',
      arguments: { path: 'path', content: 'file_text' },
      needs: ['path', 'content'],
    },
    {
      name: 'edit',
      kind: 'changes a part of a file',
      arguments: { path: 'path', 'old text': 'old_str', 'new text': 'new_str' },
      needs: ['path', 'old text', 'new text'],
    },
    {
      name: 'apply_patch',
      kind: 'applies a patch',
      arguments: { patch: 'input' },
      needs: ['patch'],
    },
    {
      name: 'grep',
      kind: 'searches in files',
      arguments: { pattern: 'pattern', files: 'glob' },
      needs: ['pattern'],
      own: ['paths'],
      usual: { output_mode: 'content', '-n': true },
    },
    {
      name: 'glob',
      kind: 'finds files by name',
      arguments: { pattern: 'pattern' },
      needs: ['pattern'],
      own: ['paths'],
    },
    {
      name: 'task',
      kind: 'gives work to a subagent',
      arguments: {},
      needs: [],
      own: ['agent_type', 'prompt', 'description'],
    },
    {
      name: 'ask_user',
      kind: 'asks the user',
      arguments: {},
      needs: [],
      own: ['question', 'choices'],
    },
    { name: 'skill', kind: 'loads a skill', arguments: { skill: 'skill' }, needs: ['skill'] },
  ],
}
