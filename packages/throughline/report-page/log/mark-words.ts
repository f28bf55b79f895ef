const name = 'found'
const mostMarked = 400

/** Marks where words occur, without touching what they stand in. */
export function markWords(box: HTMLElement, words: string): void {
  if (!('highlights' in CSS)) return
  const wanted = words.toLowerCase()
  const ranges: Range[] = []
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node && ranges.length < mostMarked; node = walker.nextNode()) {
    const text = (node.nodeValue ?? '').toLowerCase()
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, Math.min(at + wanted.length, node.nodeValue?.length ?? 0))
      ranges.push(range)
      if (ranges.length >= mostMarked) break
    }
  }
  CSS.highlights.set(name, new Highlight(...ranges))
  const [first] = ranges
  first?.startContainer.parentElement?.scrollIntoView({ block: 'center' })
}
