# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
#
# Makes .venv in the checkout and puts it into the environment of the shell that sources this file:
#
#   source scripts/setup_env.sh          what the product needs
#   source scripts/setup_env.sh test     and what its tests need
#
# Over a sourced ROS 2 the venv adds to that installation; elsewhere it holds ROS 2 Jazzy as wheels.
# A second call is quick: each step leaves a stamp and is repeated only when what it rests on changed.
# PYTHON names the interpreter, python3 by default.

BO_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BO_VENV=$BO_ROOT/.venv
BO_TORCH=torch==2.13.0

bo_say() { printf '[setup] %s\n' "$*" >&2; }

bo_fail() {
  printf '[setup] error: %s\n' "$*" >&2
  return 1
}

# bo_step NAME TEXT KEY COMMAND...   runs COMMAND unless it succeeded before with the same KEY.
bo_step() {
  local stamp=$BO_VENV/.stamp-$1 text=$2 key=$3
  shift 3
  [[ -f $stamp && $(<"$stamp") == "$key" ]] && return 0
  bo_say "$text"
  rm -f "$stamp"
  "$@" || return 1
  printf '%s\n' "$key" > "$stamp"
}

bo_hash() { cat -- "$@" | sha256sum | cut -c 1-32; }

bo_pip() {
  "$BO_VENV/bin/python" -m pip --disable-pip-version-check install -qq \
    --constraint "$BO_VENV/constraints.txt" "$@" ||
    bo_fail "pip could not install: $*. Check the network, then run this again."
}

# In a shell that has sourced this file python3 is that of .venv, which cannot make itself anew.
bo_choose_python() {
  BO_PYTHON=${PYTHON:-python3}
  if [[ $(command -v "$BO_PYTHON") == "$BO_VENV"/* ]]; then
    BO_PYTHON=$("$BO_PYTHON" -c 'import sys; print(sys._base_executable)')
  fi
}

bo_check_python() {
  command -v "$BO_PYTHON" > /dev/null ||
    { bo_fail "there is no $BO_PYTHON; install Python 3.10 or later."; return 1; }
  "$BO_PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || {
    bo_fail "Python 3.10 or later is needed, $BO_PYTHON is $("$BO_PYTHON" -V 2>&1);" \
      'name another with PYTHON=...'
    return 1
  }
  "$BO_PYTHON" -c 'import ensurepip, venv' 2> /dev/null ||
    { bo_fail "$BO_PYTHON has no venv module; on Debian and Ubuntu: apt install python3-venv"; return 1; }
}

bo_make_venv() {
  local options=()
  [[ $BO_ROS == installed ]] && options=(--system-site-packages)
  find "$BO_VENV" -mindepth 1 -delete && "$BO_PYTHON" -m venv "${options[@]}" "$BO_VENV"
}

# The ROS 2 installation and its message types are built against one numpy: keep to that one.
bo_write_constraints() {
  if [[ $BO_ROS == installed ]]; then
    "$BO_PYTHON" -c 'import numpy; print(f"numpy=={numpy.__version__}")' || return 1
  else
    cat "$BO_ROOT/requirements/constraints.txt" || return 1
  fi > "$BO_VENV/constraints.txt"
  printf '%s\n' "$BO_TORCH" >> "$BO_VENV/constraints.txt"
}

bo_install_runtime() {
  local lists=(--requirement "$BO_ROOT/requirements/runtime.txt")
  [[ $BO_ROS == wheels ]] && lists+=(--requirement "$BO_ROOT/requirements/ros.txt")
  bo_pip "${lists[@]}"
}

bo_install_test() {
  local lists=(--requirement "$BO_ROOT/requirements/test.txt")
  [[ $BO_ROS == wheels ]] && lists+=(--requirement "$BO_ROOT/requirements/ros-test.txt")
  bo_pip "${lists[@]}"
}

# Names and contents of what an installation copies.
bo_package_key() {
  (cd "$BO_ROOT" && find package.xml setup.py setup.cfg pyproject.toml resource config launch rviz foxglove \
    security \
    -type f -exec sha256sum {} + 2> /dev/null | sort -k 2 | sha256sum | cut -c 1-32)
}

# An editable installation leaves the files of share/ out: setup.py copies them in a second step.
bo_install_package() {
  bo_pip --no-deps --no-build-isolation --editable "$BO_ROOT" &&
    (cd "$BO_ROOT" && "$BO_VENV/bin/python" -W ignore setup.py -q install_data --install-dir "$BO_VENV")
}

bo_install() {
  local requirements=$BO_ROOT/requirements python
  python=$("$BO_PYTHON" -c '
import os, sys
print(os.path.realpath(sys._base_executable), sys.version)')
  bo_step venv "making $BO_VENV (ROS 2: $BO_ROS)" "$BO_ROOT $BO_ROS $python" bo_make_venv &&
    bo_step constraints 'choosing versions' "$(bo_hash "$requirements/constraints.txt") $BO_TORCH" \
      bo_write_constraints &&
    bo_step torch "installing $BO_TORCH (the largest part, minutes on a slow line)" "$BO_TORCH" \
      bo_pip "$BO_TORCH" &&
    bo_step runtime 'installing what the product needs' \
      "$(bo_hash "$requirements"/{constraints,runtime,ros}.txt)" bo_install_runtime || return 1
  if [[ $1 == test ]]; then
    bo_step test 'installing what the tests need' \
      "$(bo_hash "$requirements"/{constraints,test,ros-test}.txt)" bo_install_test || return 1
  fi
  # Python code is used from the checkout; these files are copied to share/.
  bo_step package 'installing bo_explorer' \
    "$(bo_package_key)" bo_install_package
}

bo_export() {
  unset _ROS_WHEELS_BOOTSTRAP_COMPLETE
  export VIRTUAL_ENV=$BO_VENV PATH=$BO_VENV/bin:$PATH
  if [[ $BO_ROS == installed ]]; then
    export AMENT_PREFIX_PATH=$BO_VENV:$AMENT_PREFIX_PATH
    return
  fi
  # The wheels restart Python to find their libraries unless the environment names them already.
  local folders
  folders=$(printf '%s:' "$BO_VENV/lib" "$BO_VENV"/lib/python3*/site-packages/ros_*.libs)
  unset PYTHONPATH
  export AMENT_PREFIX_PATH=$BO_VENV LD_LIBRARY_PATH=${folders%:} _ROS_WHEELS_BOOTSTRAP_COMPLETE=1
}

bo_setup_env() {
  bo_choose_python
  bo_check_python || return 1
  BO_ROS=wheels
  if [[ -n ${ROS_DISTRO:-} ]] && "$BO_PYTHON" -c 'import rclpy' 2> /dev/null; then
    BO_ROS=installed
  fi
  mkdir -p "$BO_VENV" || return 1
  local lock status=0
  exec {lock}< "$BO_VENV" || return 1
  flock "$lock"
  bo_install "${1:-runtime}" || status=1
  exec {lock}<&-
  (( status == 0 )) && bo_export
}

bo_setup_env "$@"
