import { registerHooks } from 'node:module'

const SOURCES = new URL('..', import.meta.url).href

/**
 * Sources name each other by relative path with its ending, so that the address follows from the name alone. By itself
 * Node looks for the file, its true path and its package.json at every import: a fifth of the time of a start.
 */
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context
    const isSource = specifier.startsWith('.') && specifier.endsWith('.ts')
    if (!isSource || !parentURL?.startsWith(SOURCES)) return next(specifier, context)
    const { href } = new URL(specifier, parentURL)
    return { url: href, format: 'module-typescript', shortCircuit: true }
  },
})
