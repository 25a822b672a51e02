#!/bin/sh
# Installs Debian's Chromium for the browser tests where there is none; never fails, and says in one
# line what it could not do. The tests that need a browser are skipped then.
for name in "${LITERATURE_CHROMIUM:-chromium}" chromium-browser google-chrome; do
	command -v "$name" >/dev/null 2>&1 && exit 0
done

skipped() {
	echo "No Chromium for the browser tests, which are skipped: $1." >&2
	exit 0
}

[ "$(. /etc/os-release 2>/dev/null && echo "$ID")" = debian ] ||
	skipped "install it with your system's package manager"
as_root=
if [ "$(id -u)" != 0 ]; then
	sudo -n true 2>/dev/null || skipped "installing it needs root: apt-get install chromium"
	as_root="sudo -n"
fi
install() {
	$as_root env DEBIAN_FRONTEND=noninteractive timeout 150 apt-get -qq \
		-o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o DPkg::Lock::Timeout=60 \
		install --yes --no-install-recommends chromium >/dev/null 2>&1
}
install || { $as_root timeout 60 apt-get -qq update >/dev/null 2>&1 && install; } ||
	skipped "apt-get could not install it; see what 'apt-get install chromium' says"
