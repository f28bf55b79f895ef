import { definePlugin, type Plugin } from 'throughline'

/** The plugin of docs/plugins.md. `release` says whether a release is being made right now. */
export function releasePlugin(release: { running: boolean; log: string[] }): Plugin {
  // page: begin
  const releases = definePlugin({
    name: 'releases',
    // The checklist is instructions to the agent: its output is never pruned.
    protectedTools: ['release_checklist'],
    // Throughline learns what this tool does to files.
    lenses: [
      {
        tools: ['bump_version'],
        read: ({ input }) => [{ type: 'edit', path: (input as { file: string }).file }],
      },
    ],
    // One more section, behind those of whichever template is used.
    sections: [{ heading: 'Releases', guide: 'Which versions were released, and what failed.' }],
    beforeCompact: ({ plan, log }) => {
      if (release.running && plan.trigger === 'manual') return { veto: 'a release is running' }
      // What released last stays in the context as it is.
      const last = log.findLast(
        (entry) => entry.kind === 'message' && JSON.stringify(entry.message).includes('released '),
      )
      return last && { keep: [last.seq] }
    },
    // The last section is its own.
    afterSummary: ({ summary }) => `${summary}\n- The registry is read-only on Sundays.`,
    onEvent: (event) => {
      if (event.type === 'compaction-finished') release.log.push(`now ${event.report.after} tokens`)
    },
  })
  // page: end
  return releases
}
