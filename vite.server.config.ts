import { defineConfig } from 'vite'

/** Packages that find files of their own beside themselves: native code, programs, a page. */
const AS_THEY_ARE = ['@fastify/swagger-ui', 'bcrypt']

/**
 * Builds the server together with the packages that it uses: docs/decisions/0016-one-build.md. Every program is one
 * file, with what they share beside it.
 */
export default defineConfig({
  // The settings in .env are for the server that runs.
  envDir: false,
  build: {
    ssr: true,
    outDir: 'dist/server',
    // `npm run dev` builds into the folder of the server that runs.
    emptyOutDir: false,
    target: 'node20',
    rolldownOptions: {
      input: {
        main: 'server/main.ts',
        commands: 'server/commands/main.ts',
      },
      // All in one folder, from which that of the build is found: server/lib/root.ts.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
  ssr: { noExternal: true, external: AS_THEY_ARE },
})
