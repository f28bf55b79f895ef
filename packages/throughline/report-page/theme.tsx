import { useEffect, useState } from 'preact/hooks'

const themes = ['auto', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

/** The reader's colours; `auto` follows the system. The name changes whenever the colours do. */
export function useTheme(): [string, () => void] {
  const [theme, setTheme] = useState<Theme>('auto')
  const [system, setSystem] = useState(0)
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme
  }, [theme])
  useEffect(() => {
    const wanted = matchMedia('(prefers-color-scheme: dark)')
    const changed = (): void => setSystem((count) => count + 1)
    wanted.addEventListener('change', changed)
    return () => wanted.removeEventListener('change', changed)
  }, [])
  const next = (): void => {
    const at = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto'
    // At once: the chart reads its colours while it is drawn.
    document.documentElement.dataset['theme'] = at
    setTheme(at)
  }
  return [system === 0 || theme !== 'auto' ? theme : `auto ${system}`, next]
}

export function ThemeButton({ theme, onClick }: { theme: string; onClick: () => void }) {
  return (
    <button
      type="button"
      class="theme"
      onClick={onClick}
      aria-label={`Colours: ${theme}. Change them`}
    >
      <span aria-hidden="true">{theme === 'light' ? '☀' : theme === 'dark' ? '☾' : '◐'}</span>
    </button>
  )
}
