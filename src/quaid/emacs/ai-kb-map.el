;;; ai-kb-map.el --- A map of which nodes link to which  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `ai-kb-map' draws with graphviz where Emacs can show pictures, and as text
;; elsewhere.  In both, a node is opened from the map.

;;; Code:

(require 'ai-kb-cli)
(require 'ai-kb-browse)

(defcustom ai-kb-dot-program "dot"
  "The program of graphviz that draws maps."
  :type 'string
  :group 'ai-kb)

(defun ai-kb--map-filters ()
  "Ask by what the map is filtered; the answer is a list of words."
  (let ((kind (completing-read "Map of (all): " '("all" "project" "tag" "status") nil t nil nil "all")))
    (if (equal kind "all")
        nil
      (let* ((nodes (alist-get 'nodes (ai-kb-ask "list")))
             (values (pcase kind
                       ("status" '("current" "contested" "superseded"))
                       (_ (delete-dups
                           (mapcan (lambda (node)
                                     (copy-sequence
                                      (alist-get (if (equal kind "tag") 'tags 'projects) node)))
                                   nodes))))))
        (list (concat "--" kind) (completing-read (format "%s: " (capitalize kind)) values nil t))))))

;;;###autoload
(defun ai-kb-map (&optional filters)
  "Draw a map of the nodes.
With a prefix argument, ask for a project, tag or status.  FILTERS are words
for `ai-kb map', such as --project general."
  (interactive (list (and current-prefix-arg (ai-kb--map-filters))))
  (if (and (display-images-p) (executable-find ai-kb-dot-program))
      (ai-kb--map-picture filters)
    (ai-kb--map-text (apply #'ai-kb-ask "map" filters) filters)))

;; As text

(defun ai-kb--map-text (map filters)
  "Show MAP, nodes and links, as text; FILTERS are what it was asked with."
  (let* ((nodes (mapcar (lambda (node) (cons (alist-get 'id node) node)) (alist-get 'nodes map)))
         (links (alist-get 'links map))
         (linked (mapcan (lambda (link) (list (alist-get 'source link) (alist-get 'target link)))
                         links)))
    (with-current-buffer (get-buffer-create "*ai-kb-map*")
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert (format "%d nodes, %d links%s\n\n" (length nodes) (length links)
                        (if filters (concat "  (" (string-join filters " ") ")") "")))
        (dolist (node nodes)
          (let ((own (cl-remove-if-not (lambda (link) (equal (alist-get 'source link) (car node)))
                                       links)))
            (when own
              (ai-kb-insert-node (cdr node))
              (insert "\n")
              (dolist (link own)
                (insert (format "  ─%s→ " (or (alist-get 'label link) "")))
                (ai-kb-insert-node (cdr (assoc (alist-get 'target link) nodes)))
                (insert "\n")))))
        (let ((alone (cl-remove-if (lambda (node) (member (car node) linked)) nodes)))
          (when alone
            (insert "\nWithout links\n")
            (dolist (node alone)
              (insert "  ")
              (ai-kb-insert-node (cdr node))
              (insert "\n")))))
      (ai-kb-list-mode)
      (goto-char (point-min))
      (pop-to-buffer (current-buffer)))))

;; As a picture

(defun ai-kb--dot (graph file &rest formats)
  "Draw GRAPH to FILE; FORMATS are words for graphviz."
  (with-temp-buffer
    (insert graph)
    (unless (zerop (apply #'call-process-region nil nil ai-kb-dot-program nil t nil
                          (append formats (list "-o" file))))
      (user-error "Graphviz failed: %s" (buffer-string)))))

(defun ai-kb--map-areas (file)
  "The hot spots that FILE, a map of graphviz for browsers, has of nodes."
  (let ((areas nil))
    (with-temp-buffer
      (insert-file-contents file)
      (while (re-search-forward
              (concat "<area shape=\"rect\"[^>]*node=\\(" ai-kb--uuid "\\)[^>]*"
                      "coords=\"\\([0-9,]+\\)\"")
              nil t)
        (pcase-let ((id (intern (match-string 1)))
                    (`(,left ,top ,right ,bottom)
                     (mapcar #'string-to-number (split-string (match-string 2) ","))))
          (push `((rect . ((,left . ,top) . (,right . ,bottom))) ,id (pointer hand)) areas))))
    areas))

(defun ai-kb--map-picture (filters)
  "Show the map that FILTERS choose as a picture whose nodes can be clicked."
  (let* ((graph (alist-get 'dot (apply #'ai-kb-ask "map" filters)))
         (picture (make-temp-file "ai-kb-map-" nil ".png"))
         (places (make-temp-file "ai-kb-map-" nil ".map")))
    (unwind-protect
        (progn
          (ai-kb--dot graph picture "-Tpng")
          (ai-kb--dot graph places "-Tcmapx")
          (let ((areas (ai-kb--map-areas places))
                (data (with-temp-buffer
                        (set-buffer-multibyte nil)
                        (insert-file-contents-literally picture)
                        (buffer-string))))
            (with-current-buffer (get-buffer-create "*ai-kb-map*")
              (let ((inhibit-read-only t))
                (erase-buffer)
                (insert-image (create-image data 'png t :scale 1 :map areas))
                (insert "\n"))
              (ai-kb-list-mode)
              (use-local-map (make-composed-keymap (ai-kb--map-keys areas) ai-kb-list-mode-map))
              (goto-char (point-min))
              (pop-to-buffer (current-buffer)))))
      (delete-file picture)
      (delete-file places))))

(defun ai-kb--map-keys (areas)
  "A keymap in which a click into each of AREAS opens its node."
  (let ((map (make-sparse-keymap)))
    (dolist (area areas map)
      (let ((id (nth 1 area)))
        (define-key map (vector id 'mouse-1)
                    (lambda () (interactive) (ai-kb-show-node (symbol-name id))))))))

(provide 'ai-kb-map)
;; Local Variables:
;; checkdoc-verb-check-experimental-flag: nil
;; End:
;;; ai-kb-map.el ends here
