# docker build -t taps . && docker run --init -p 127.0.0.1:3000:3000 -v taps:/var/lib/taps taps
# Any base image with Node 20.19 or newer, npm and a user called node works.
ARG NODE=docker.io/library/node:24-bookworm-slim

FROM ${NODE} AS build
# The output of git describe, because the image is built without .git.
ARG TAPS_VERSION=
WORKDIR /srv/taps
COPY . .
# Removes packages that only the build needs.
RUN npm run build && rm -rf .cache \
  node_modules/vite node_modules/@vitejs node_modules/rolldown node_modules/@rolldown node_modules/lightningcss*

FROM ${NODE}
WORKDIR /srv/taps
COPY --from=build /srv/taps .
RUN mkdir /var/lib/taps && chown node: /var/lib/taps
USER node
ENV HOST=0.0.0.0 DATA_DIR=/var/lib/taps
VOLUME /var/lib/taps
EXPOSE 3000
# Starts the game directly, because npm would not forward the stop signal.
CMD ["./taps", "start"]
