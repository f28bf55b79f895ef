const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A bar for a share between 0 and 1, on a background that shows the whole. */
export function bar(share: number, width: number): string {
  const filled = filledPart(share, width)
  return filled + '░'.repeat(Math.max(width - filled.length, 0))
}

/** A bar without background, for shares listed below each other. */
export function bareBar(share: number, width: number): string {
  return filledPart(share, width)
}

function filledPart(share: number, width: number): string {
  const parts = Math.round(Math.min(Math.max(share, 0), 1) * width * 8)
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '')
}
