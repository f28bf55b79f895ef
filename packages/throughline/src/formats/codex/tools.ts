import { toolTable } from '../handoff/tool-table.ts'

const asides = ['sandbox_permissions', 'justification']

/** As real sessions of versions 0.118 to 0.142 call them. Files are read by commands. */
export const codexTools = toolTable('Codex', [
  [
    'exec_command',
    'runs a command',
    { command: 'cmd', directory: 'workdir?' },
    { asides: [...asides, 'yield_time_ms', 'max_output_tokens', 'prefix_rule'] },
  ],
  [
    'shell_command',
    'runs a command',
    { command: 'command', directory: 'workdir?' },
    { asides: [...asides, 'timeout_ms'] },
  ],
  ['apply_patch', 'applies a patch', { patch: 'input' }],
  ['web_search', 'searches the web', {}, { own: ['query'] }],
  ['update_plan', 'keeps the list of things to do', {}, { own: ['plan', 'explanation'] }],
  ['spawn_agent', 'gives work to a subagent', {}, { own: ['message', 'agent_type'] }],
])
